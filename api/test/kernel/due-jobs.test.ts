import { once } from 'node:events';
import t from 'tap';
import { runWhenDue } from '#api/jobs/due-jobs.ts';
import { createLogger } from '#shared/log/log.ts';
import type { Sql } from '#shared/postgres/kernel/client.ts';
import { hasEvents } from '#shared/postgres/kernel/outbox.ts';
import { markDueCdrs } from '#shared/postgres/roaming/cdrs.ts';
import { seedNetwork } from '#shared/testing/seed.ts';
import { testStores } from '#shared/testing/stores.ts';
import { until } from '#shared/testing/until.ts';

const log = createLogger('test', 'silent');

const always = (pool: Sql) => pool`true`;

void t.test('runs a job once its condition holds, and not while it does not', async (t) => {
  const { sql } = await testStores(t);
  let searches = 0;
  let runs = 0;
  const jobs = runWhenDue(
    { sql, log },
    [
      { name: 'searches', everyMs: 0, isDue: always, work: async () => void searches++ },
      {
        name: 'events',
        everyMs: 0,
        isDue: (pool: Sql) => hasEvents(pool, 'cdr-marks'),
        async work() {
          runs++;
          await markDueCdrs(sql);
        },
      },
    ],
    { searchEveryMs: 10, sweepEveryMs: 600_000 },
  );
  t.teardown(() => jobs.stop());
  await until('searches that find no event', async () => searches >= 3);
  t.equal(runs, 0);

  const network = await seedNetwork(sql);
  await sql`insert into outbox (network_id, type, subject_id) values (${network.id}, 'session.started', 0)`;
  await until('the run for the event', async () => runs > 0);
  // A search that began before the event was read may start one more run.
  const before = searches;
  await until('two searches after it', async () => searches >= before + 2);
  const settled = runs;
  await until('three further searches', async () => searches >= before + 5);
  t.equal(runs, settled);
});

void t.test('runs a job regularly although its condition never holds', async (t) => {
  const { sql } = await testStores(t);
  let runs = 0;
  const job = {
    name: 'swept',
    everyMs: 0,
    isDue: (pool: Sql) => pool`false`,
    work: async () => void runs++,
  };
  const jobs = runWhenDue({ sql, log }, [job], { searchEveryMs: 5, sweepEveryMs: 20 });
  t.teardown(() => jobs.stop());
  await until('two runs', async () => runs >= 2);
});

void t.test('waits for the interval of a job between two runs', async (t) => {
  const { sql } = await testStores(t);
  let searches = 0;
  let runs = 0;
  const jobs = runWhenDue(
    { sql, log },
    [
      { name: 'searches', everyMs: 0, isDue: always, work: async () => void searches++ },
      { name: 'rare', everyMs: 600_000, isDue: always, work: async () => void runs++ },
    ],
    { searchEveryMs: 5, sweepEveryMs: 1_000_000 },
  );
  t.teardown(() => jobs.stop());
  await until('searches', async () => searches >= 5);
  t.equal(runs, 0);
});

void t.test('runs a job whose earlier run failed again', async (t) => {
  const { sql } = await testStores(t);
  let runs = 0;
  const job = {
    name: 'failing',
    everyMs: 0,
    isDue: always,
    async work() {
      if (++runs === 1) throw new Error('the first run fails');
    },
  };
  const jobs = runWhenDue({ sql, log }, [job], { searchEveryMs: 5, sweepEveryMs: 600_000 });
  t.teardown(() => jobs.stop());
  await until('a second run', async () => runs >= 2);
});

void t.test('stops the jobs before it waits for the search', async (t) => {
  const { sql } = await testStores(t);
  const holding = Promise.withResolvers<void>();
  const jobs = runWhenDue(
    { sql, log },
    [
      {
        name: 'holding',
        everyMs: 0,
        isDue: always,
        // Holds a lock, for which the search waits, until it is stopped.
        work: (stopping) =>
          sql.begin(async (transaction) => {
            await transaction`select pg_advisory_xact_lock(1)`;
            const stopped = once(stopping, 'abort');
            holding.resolve();
            await stopped;
          }),
      },
      {
        name: 'waiting',
        everyMs: 600_000,
        isDue: (pool) => pool`pg_advisory_xact_lock(1) is not null`,
        work: async () => undefined,
      },
    ],
    { searchEveryMs: 5, sweepEveryMs: 600_000 },
  );
  await holding.promise;
  await until('the search to wait', async () => {
    const [lock] = await sql`
      select from pg_locks where locktype = 'advisory' and not granted
        and database = (select oid from pg_database where datname = current_database())`;
    return lock !== undefined;
  });
  await jobs.stop();
});
