import { once } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import t, { type Test } from 'tap';
import type { Job } from '#api/jobs/job.ts';
import { idleSearchEveryMs, runJobs, searchEveryMs, sweepEveryMs } from '#api/jobs/runner.ts';
import { allJobs } from '#api/jobs/start.job.ts';
import { startTestApi } from '#api/test/support/fixtures.ts';
import { createLogger, type Logger } from '#shared/log/log.ts';
import { openPostgres, type Sql } from '#shared/postgres/kernel/client.ts';
import { hasEvents } from '#shared/postgres/kernel/outbox.statements.ts';
import { markDueCdrs } from '#shared/postgres/roaming/cdrs.statements.ts';
import { seedNetwork } from '#shared/testing/seed.ts';
import { testStores } from '#shared/testing/stores.ts';
import { until } from '#shared/testing/until.ts';
import { VirtualClock } from '#shared/testing/virtual-clock.ts';

const log = createLogger('test', 'silent');

const always = (pool: Sql) => pool`true`;
const never = (pool: Sql) => pool`false`;

/** Runs jobs on a virtual clock; `search` lets the time of some searches pass, one after the other. */
async function start(t: Test, sql: Sql, job: Partial<Job> & Pick<Job, 'run'>) {
  const clock = new VirtualClock();
  let searches = 0;
  const counted = { name: 'searches', every: 0, due: always, run: async () => void searches++ };
  const jobs = await runJobs({ sql, clock, log }, [
    counted,
    { name: 'tested', every: 0, due: always, ...job },
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
  const search = await start(t, sql, {
    due: (pool: Sql) => hasEvents(pool, 'cdr-marks'),
    async run() {
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
  const search = await start(t, sql, { due: never, run: async () => void runs++ });
  const searches = sweepEveryMs / searchEveryMs;
  await search(searches - 1);
  t.equal(runs, 0);
  await search(1);
  t.equal(runs, 1);
  await search(searches);
  t.equal(runs, 2);
});

void t.test('searches less often after a time without work', async (t) => {
  const { databaseUrl } = await testStores(t);
  // On its only connection, statements follow a search.
  const sql = openPostgres(databaseUrl, { name: 'due-jobs', connections: 1 });
  const clock = new VirtualClock();
  let searches = 0;
  let isDue = false;
  const due = (pool: Sql) => {
    searches += 1;
    return pool`${isDue}::boolean`;
  };
  let runs = 0;
  const jobs = await runJobs({ sql, clock, log }, [
    { name: 'tested', every: 0, due, run: async () => void runs++ },
  ]);
  t.teardown(async () => {
    await jobs.stop();
    await sql.end();
  });
  /** Returns the number of searches in some seconds. */
  const searchesIn = async (seconds: number) => {
    const before = searches;
    for (let second = 0; second < seconds; second += 1) {
      clock.advance(searchEveryMs);
      await sql`select`;
      await turn();
    }
    return searches - before;
  };
  t.equal(await searchesIn(10), 10);
  await searchesIn(6);
  t.equal(await searchesIn(30), 30 / (idleSearchEveryMs / searchEveryMs));
  isDue = true;
  await searchesIn(3);
  t.ok(runs > 0);
  t.equal(await searchesIn(10), 10, 'there is work again');
});

void t.test('waits for the interval of a job between two runs', async (t) => {
  const { sql } = await testStores(t);
  let runs = 0;
  const search = await start(t, sql, { every: 10 * searchEveryMs, run: async () => void runs++ });
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
  const search = await start(t, sql, {
    async run() {
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
  const jobs = await runJobs({ sql, clock, log }, [
    {
      name: 'holding',
      every: 0,
      due: always,
      // Holds a lock, for which the search waits, until it is stopped.
      run: (stopping) =>
        sql.begin(async (transaction) => {
          await transaction`select pg_advisory_xact_lock(1)`;
          const stopped = once(stopping, 'abort');
          holding.resolve();
          await stopped;
        }),
    },
    {
      name: 'waiting',
      every: 600_000,
      due: (pool) => pool`pg_advisory_xact_lock(1) is not null`,
      run: async () => undefined,
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

void t.test('runs a job without a condition at its interval, also while the search waits', async (t) => {
  const { sql } = await testStores(t);
  const clock = new VirtualClock();
  const held = Promise.withResolvers<void>();
  const searching = Promise.withResolvers<void>();
  let runs = 0;
  const jobs = await runJobs({ sql, clock, log }, [
    { name: 'timed', every: 3 * searchEveryMs, run: async () => void runs++ },
    {
      name: 'waiting',
      every: 0,
      due: always,
      async run() {
        searching.resolve();
        await held.promise;
      },
    },
  ]);
  t.teardown(async () => {
    held.resolve();
    await jobs.stop();
  });
  clock.advance(2 * searchEveryMs);
  await searching.promise;
  t.equal(runs, 0);
  for (const expected of [1, 2]) {
    clock.advance(3 * searchEveryMs);
    await until('the next run', () => runs === expected);
  }
});

void t.test('logs the work of a run that did some', async (t) => {
  const { sql } = await testStores(t);
  const lines: unknown[] = [];
  const recording = { ...log, info: (...line: unknown[]) => void lines.push(line) } as unknown as Logger;
  const clock = new VirtualClock();
  const counts = [3, 0];
  let runs = 0;
  const jobs = await runJobs({ sql, clock, log: recording }, [
    { name: 'counted', every: searchEveryMs, run: async () => counts[runs++] ?? 0, done: 'things were done' },
  ]);
  t.teardown(() => jobs.stop());
  for (const expected of [1, 2]) {
    clock.advance(searchEveryMs);
    await until('the run', () => runs === expected);
  }
  await jobs.stop();
  t.same(lines, [[{ job: 'counted', count: 3 }, 'things were done']]);
});

void t.test('names each job of the product once', async (t) => {
  const { deps } = await startTestApi(t);
  const jobs = allJobs({ ...deps, log, longJobs: deps });
  t.teardown(() => Promise.all(jobs.flatMap(({ stop }) => stop?.() ?? [])));
  const names = jobs.map(({ name }) => name);
  t.same(names, [...new Set(names)]);
});
