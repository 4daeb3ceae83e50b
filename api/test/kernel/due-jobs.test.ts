import { once } from 'node:events';
import t, { type Test } from 'tap';
import { type DueJob, runWhenDue, searchEveryMs, sweepEveryMs } from '#api/jobs/due-jobs.ts';
import { createLogger } from '#shared/log/log.ts';
import type { Sql } from '#shared/postgres/kernel/client.ts';
import { hasEvents } from '#shared/postgres/kernel/outbox.ts';
import { markDueCdrs } from '#shared/postgres/roaming/cdrs.ts';
import { seedNetwork } from '#shared/testing/seed.ts';
import { testStores } from '#shared/testing/stores.ts';
import { until } from '#shared/testing/until.ts';
import { VirtualClock } from '#shared/testing/virtual-clock.ts';

const log = createLogger('test', 'silent');

const always = (pool: Sql) => pool`true`;
const never = (pool: Sql) => pool`false`;

/** Runs jobs on a virtual clock; `search` lets the time of some searches pass, one after the other. */
function start(t: Test, sql: Sql, job: Partial<DueJob> & Pick<DueJob, 'work'>) {
  const clock = new VirtualClock();
  let searches = 0;
  const counted = { name: 'searches', everyMs: 0, isDue: always, work: async () => void searches++ };
  const jobs = runWhenDue({ sql, clock, log }, [
    counted,
    { name: 'tested', everyMs: 0, isDue: always, ...job },
  ]);
  t.teardown(() => jobs.stop());
  return async (count: number) => {
    for (let search = 0; search < count; search += 1) {
      const before = searches;
      clock.advance(searchEveryMs);
      await until('a search', () => searches > before);
    }
  };
}

void t.test('runs a job once its condition holds, and not while it does not', async (t) => {
  const { sql } = await testStores(t);
  let runs = 0;
  const search = start(t, sql, {
    isDue: (pool: Sql) => hasEvents(pool, 'cdr-marks'),
    async work() {
      await markDueCdrs(sql);
      runs++;
    },
  });
  await search(3);
  t.equal(runs, 0);

  const network = await seedNetwork(sql);
  await sql`insert into outbox (network_id, type, subject_id) values (${network.id}, 'session.started', 0)`;
  await search(1);
  await until('the run for the event', () => runs === 1);
  await search(3);
  t.equal(runs, 1);
});

void t.test('runs a job regularly although its condition never holds', async (t) => {
  const { sql } = await testStores(t);
  let runs = 0;
  const search = start(t, sql, { isDue: never, work: async () => void runs++ });
  const searches = sweepEveryMs / searchEveryMs;
  await search(searches - 1);
  t.equal(runs, 0);
  await search(1);
  t.equal(runs, 1);
  await search(searches);
  t.equal(runs, 2);
});

void t.test('waits for the interval of a job between two runs', async (t) => {
  const { sql } = await testStores(t);
  let runs = 0;
  const search = start(t, sql, { everyMs: 10 * searchEveryMs, work: async () => void runs++ });
  await search(9);
  t.equal(runs, 0);
  await search(1);
  t.equal(runs, 1);
  await search(9);
  t.equal(runs, 1);
});

void t.test('runs a job whose earlier run failed again', async (t) => {
  const { sql } = await testStores(t);
  let runs = 0;
  const search = start(t, sql, {
    async work() {
      if (++runs === 1) throw new Error('the first run fails');
    },
  });
  await search(2);
  t.equal(runs, 2);
});

void t.test('stops the jobs before it waits for the search', async (t) => {
  const { sql } = await testStores(t);
  const holding = Promise.withResolvers<void>();
  const clock = new VirtualClock();
  const jobs = runWhenDue({ sql, clock, log }, [
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
  ]);
  clock.advance(searchEveryMs);
  await holding.promise;
  clock.advance(searchEveryMs);
  await until('the search to wait', async () => {
    const [lock] = await sql`
      select from pg_locks where locktype = 'advisory' and not granted
        and database = (select oid from pg_database where datname = current_database())`;
    return lock !== undefined;
  });
  await jobs.stop();
});
