import t, { type Test } from 'tap';
import { isPostgresDown } from '#shared/postgres/kernel/client.ts';
import { untilSettled } from '#shared/testing/until.ts';
import { losableServer } from './support/losable-server.ts';

type Server = Awaited<ReturnType<typeof losableServer>>;

/** Checks that a pool answers two queries, one after the other. */
async function answers(t: Test, sql: ReturnType<Server['driver']>, what: string): Promise<void> {
  for (const _ of [1, 2]) {
    t.same(await untilSettled(what, sql`select 1 as one`), [{ one: 1 }], what);
  }
}

/** Cuts the connections of a pool while `queries` of it run or wait, and checks that each of them fails. */
async function cutDuring(t: Test, server: Server, queries: Promise<unknown>[]): Promise<void> {
  const outcomes = Promise.allSettled(queries);
  await server.waiting('%pg_sleep%', 1);
  await server.cut();
  for (const outcome of await untilSettled('the end of lost queries', outcomes)) {
    t.ok(outcome.status === 'rejected' && isPostgresDown(outcome.reason), JSON.stringify(outcome));
  }
}

for (const fetch_types of [true, false]) {
  const what = fetch_types ? 'that reads array types' : 'that reads no array types';
  void t.test(`reserves a new connection ${what}`, async (t) => {
    const server = await losableServer(t);
    const sql = server.driver({ fetch_types });
    const held = await untilSettled('the reservation', sql.reserve());
    t.same(await held`select 1 as one`, [{ one: 1 }]);
    held.release();
    await answers(t, sql, 'the pool after the release');
  });

  void t.test(`serves a reservation with the connection ${what} after a loss`, async (t) => {
    const server = await losableServer(t);
    const sql = server.driver({ fetch_types });
    const running = sql`select pg_sleep(60)`;
    running.catch(() => undefined);
    await server.waiting('%pg_sleep%', 1);
    const reservation = sql.reserve();
    await cutDuring(t, server, [running]);
    const held = await untilSettled('the reservation', reservation);
    t.same(await held`select 1 as one`, [{ one: 1 }]);
    held.release();
    await answers(t, sql, 'the pool after the release');
  });
}

void t.test('reconnects when a lost connection is released', async (t) => {
  const server = await losableServer(t);
  const sql = server.driver();
  const held = await sql.reserve();
  await cutDuring(t, server, [held`select pg_sleep(60)`]);
  held.release();
  await answers(t, sql, 'the pool after the release');
});

void t.test('keeps the reservation of another when a lost connection is released late', async (t) => {
  const server = await losableServer(t);
  const sql = server.driver();
  const lost = await sql.reserve();
  await cutDuring(t, server, [lost`select pg_sleep(60)`]);
  const held = await untilSettled('the next reservation', sql.reserve());
  lost.release();
  const order: string[] = [];
  const other = sql`select 1`.then(() => order.push('the pool'));
  await held`select 1`.then(() => order.push('the reservation'));
  held.release();
  await untilSettled('the query of the pool', other);
  t.same(order, ['the reservation', 'the pool']);
});

void t.test('rejects all statements of a reserved connection that is lost', async (t) => {
  const server = await losableServer(t);
  const sql = server.driver();
  await sql`create table kept (id integer primary key)`;
  const held = await sql.reserve();
  await cutDuring(t, server, [held`select pg_sleep(${60})`, held`insert into kept values (${1})`]);
  await answers(t, sql, 'the pool before the release');
  await t.rejects(
    untilSettled('a late statement', held`insert into kept values (2)`),
    { code: 'CONNECTION_CLOSED' },
    'a late statement',
  );
  t.same(await sql`select id from kept`, [], 'no statement was run');
  held.release();
  await answers(t, sql, 'the pool after the release');
});
