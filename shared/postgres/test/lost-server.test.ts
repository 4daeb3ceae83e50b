import t, { type Test } from 'tap';
import { isPostgresDown } from '#shared/postgres/kernel/client.ts';
import { freePort } from '#shared/testing/free-port.ts';
import { losableServer } from './support/losable-server.ts';

/** Returns whether a query failed for the server, in bounded time. */
async function failsForTheServer(t: Test, query: Promise<unknown>, what: string): Promise<void> {
  await t.rejects(
    query.catch((error: unknown) => {
      throw isPostgresDown(error) ? new Error('down') : error;
    }),
    { message: 'down' },
    what,
  );
}

void t.test('runs later queries after a query that was lost with the server', async (t) => {
  const server = await losableServer(t);
  const sql = server.pool(2);
  const running = Promise.allSettled([sql`select pg_sleep(60)`, sql`select pg_sleep(60)`]);
  await server.waiting('%pg_sleep%', 2);
  await server.close();
  await server.cut();
  t.same(
    (await running).map(({ status }) => status),
    ['rejected', 'rejected'],
  );
  for (let round = 0; round < 5; round += 1) await failsForTheServer(t, sql`select 1`, `round ${round}`);
  await server.open();
  t.same(await sql`select 1 as one`, [{ one: 1 }], 'and the pool is whole when it is back');
  t.same(await Promise.all([sql`select 1 as one`, sql`select 2 as two`]), [[{ one: 1 }], [{ two: 2 }]]);
});

void t.test('rejects queries that wait for a connection when the server stops', async (t) => {
  const server = await losableServer(t);
  const sql = server.pool(1);
  const rejected = Promise.all(
    Array.from({ length: 5 }, () => failsForTheServer(t, sql`select pg_sleep(60)`, 'rejected')),
  );
  await server.waiting('%pg_sleep%', 1);
  await server.close();
  await server.cut();
  await rejected;
  await server.open();
  t.same(await sql`select 1 as one`, [{ one: 1 }]);
});

void t.test(
  'fails the first query of each connection of a server that was lost, with several hosts',
  async (t) => {
    const server = await losableServer(t);
    const sql = server.pool(2, `127.0.0.1:${await freePort()}`);
    const running = Promise.allSettled([sql`select pg_sleep(60)`, sql`select pg_sleep(60)`]);
    await server.waiting('%pg_sleep%', 2);
    await server.cut();
    t.same(
      (await running).map(({ status }) => status),
      ['rejected', 'rejected'],
    );
    t.same(await sql`select 1 as one`, [{ one: 1 }]);
  },
);

void t.test('runs no statement of a transaction whose connection is lost', async (t) => {
  const server = await losableServer(t);
  const sql = server.pool(1);
  await sql`create table kept (id integer primary key)`;
  const cut = Promise.withResolvers<void>();
  const back = Promise.withResolvers<void>();
  const late = Promise.withResolvers<unknown>();
  const transaction = failsForTheServer(
    t,
    sql.begin(async (inside) => {
      await inside`insert into kept values (1)`;
      cut.resolve();
      await back.promise;
      const statement = inside`insert into kept values (2)`;
      late.resolve(statement);
      await statement;
    }),
    'the transaction failed',
  );
  await cut.promise;
  await server.cut();
  await transaction;
  t.same(await sql`select 1 as one`, [{ one: 1 }], 'its connection serves others again');
  back.resolve();
  await failsForTheServer(t, late.promise, 'a statement that comes late');
  t.same(await sql`select id from kept`, [], 'was not run outside of the transaction');
  await sql.begin((inside) => inside`insert into kept values (3)`);
  t.same(await sql`select id from kept`, [{ id: 3 }], 'nor did its rollback reach another one');
});

void t.test('keeps the pool complete after repeated losses of connections', async (t) => {
  const server = await losableServer(t);
  const sql = server.pool(3);
  await sql`create table numbers (id integer)`;
  // Shut while transactions are to be seen under way, open for those that are left after the cut.
  const gate = await server.watch.reserve();
  for (let round = 0; round < 10; round += 1) {
    await gate`select pg_advisory_lock(1)`;
    const all = Promise.allSettled(
      Array.from({ length: 9 }, (_, id) =>
        sql.begin(async (inside) => {
          await inside`insert into numbers values (${id})`;
          await inside`select pg_advisory_xact_lock_shared(1)`;
          await inside`insert into numbers values (${id})`;
        }),
      ),
    );
    await server.waiting('%pg_advisory%', 3);
    await server.cut();
    await gate`select pg_advisory_unlock(1)`;
    await all;
  }
  gate.release();
  t.same(
    (
      await Promise.all(
        Array.from({ length: 12 }, (_, id) => sql<{ id: number }[]>`select ${id}::integer as id`),
      )
    )
      .flat()
      .map(({ id }) => id),
    Array.from({ length: 12 }, (_, id) => id),
  );
  const [odd] = await sql<{ odd: number }[]>`select count(*)::integer % 2 as odd from numbers`;
  t.equal(odd?.odd, 0, 'each stored both of its rows or none');
});
