import t from 'tap';
import { openPostgres, type Sql } from '#shared/postgres/kernel/client.ts';
import { readRuntime } from '#deploy/start/runtime-file.ts';
import { until } from '#shared/testing/until.ts';
import { allInOneEnvironment, startAllInOne } from './support/all-in-one.ts';

/** Time in ms after which a system that has started is idle: searches are rare, and the first work is done. */
const settlingMs = 20_000;

const windowMs = 60_000;

/** Statements that PostgreSQL may execute in a second for a system of one process and two shards. */
const maxPerSecond = 2;

/** Returns the number of transactions so far. A statement by itself is a transaction. */
async function countTransactions(sql: Sql): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select (xact_commit + xact_rollback)::double precision as count from pg_stat_database where datname = current_database()`;
  return row?.count ?? 0;
}

/** Resolves after a time in ms. */
async function pass(ms: number): Promise<void> {
  const startedAt = performance.now();
  await until(
    'the end of the window',
    () => performance.now() - startedAt >= ms,
    () => performance.now(),
  );
}

void t.test('sends PostgreSQL at most two statements a second while it is idle', async (t) => {
  const env = await allInOneEnvironment(t);
  const system = await startAllInOne(t, env);
  const sql = openPostgres(readRuntime(env.DATA_DIR)?.databaseUrl ?? '', {
    name: 'idle-test',
    connections: 1,
  });
  // Its transactions would count.
  await sql`alter system set autovacuum = off`;
  await sql`select pg_reload_conf()`;
  await pass(settlingMs);
  const before = await countTransactions(sql);
  await pass(windowMs);
  const count = (await countTransactions(sql)) - before;
  await sql.end();
  await system.kill('SIGTERM');
  const perSecond = count / (windowMs / 1000);
  t.ok(perSecond > 0 && perSecond <= maxPerSecond, `${perSecond} a second`);
});
