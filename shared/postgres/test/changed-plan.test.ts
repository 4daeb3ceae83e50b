import postgres from 'postgres';
import t, { type Test } from 'tap';
import { within } from '#shared/domain/kernel/deadline.ts';
import { openPostgres } from '#shared/postgres/kernel/client.ts';
import { testStores } from '#shared/testing/stores.ts';

void t.test('repeats a statement whose plan changed with the same parameters', async (t) => {
  const { databaseUrl, sql: other } = await testStores(t, { fresh: true });
  await other`create table kept (a jsonb)`;
  const sql = openPostgres(databaseUrl, { name: 'plan', connections: 1 });
  t.teardown(() => sql.end({ timeout: 1 }));
  const insert = () => sql`insert into kept (a) values (${sql.json({ a: 1 })}) returning *`;
  t.same(await insert(), [{ a: { a: 1 } }]);
  await other`alter table kept add column b integer`;
  t.same(await insert(), [{ a: { a: 1 }, b: null }]);
  t.same(await sql`select jsonb_typeof(a) as type from kept`, [{ type: 'object' }, { type: 'object' }]);
});

type Runner = Pick<postgres.Sql, 'unsafe'>;

const read = (runner: Runner) =>
  runner.unsafe('select * from changed where name <> $1', ['none'], { prepare: true });

/**
 * Opens a pool of one connection. `onRepeat` is called while a statement that reads the table `changed` is written the second
 * time, because its plan changed.
 */
async function repeatScene(t: Test) {
  const { databaseUrl, sql: other } = await testStores(t);
  await other`create table changed (name text)`;
  await other`insert into changed values ('changed')`;
  const scene = { onRepeat: () => {} };
  let writes = 0;
  const sql = postgres(databaseUrl, {
    max: 1,
    debug(_connection, text) {
      if (!text.includes('from changed')) return;
      writes += 1;
      // Once for the first run, once for the run with the plan that changed, and once more.
      if (writes === 3) scene.onRepeat();
    },
  });
  t.teardown(() => sql.end({ timeout: 1 }));
  return {
    sql,
    change: () => other`alter table changed add column more text`,
    /** Reads the table, and returns the outcomes of that and of a query that is sent while it is repeated. */
    readTwo: (runner: Runner) => {
      const sentMeanwhile = Promise.withResolvers<unknown>();
      scene.onRepeat = () =>
        queueMicrotask(() => sentMeanwhile.resolve(runner.unsafe("select 'other' as name")));
      return within(Promise.allSettled([read(runner), sentMeanwhile.promise]), 10_000, 'two answers');
    },
  };
}

const ownAnswers = [
  { status: 'fulfilled', value: [{ name: 'changed', more: null }] },
  { status: 'fulfilled', value: [{ name: 'other' }] },
];

void t.test('answers a query that is sent while a statement is described again', async (t) => {
  const { sql, change, readTwo } = await repeatScene(t);
  await read(sql);
  await change();
  t.same(await readTwo(sql), ownAnswers);
});

void t.test(
  'answers a query that is sent on a reserved connection while a statement is described again',
  async (t) => {
    const { sql, change, readTwo } = await repeatScene(t);
    const held = await sql.reserve();
    await read(held);
    await change();
    t.same(await readTwo(held), ownAnswers);
    held.release();
  },
);

void t.test(
  'rejects a query that is sent in a transaction while a statement is described again',
  async (t) => {
    const { sql, change, readTwo } = await repeatScene(t);
    await read(sql);
    await change();
    let outcomes: unknown;
    const transaction = sql.begin(async (inside) => {
      outcomes = await readTwo(inside);
    });
    await t.rejects(within(transaction, 20_000, 'the transaction'), { code: '0A000' });
    t.match(outcomes, [
      { status: 'rejected', reason: { code: '0A000' } },
      { status: 'rejected', reason: { code: '25P02' } },
    ]);
  },
);
