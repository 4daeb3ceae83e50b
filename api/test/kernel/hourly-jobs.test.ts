import t from 'tap';
import type { Job } from '#api/jobs/job.ts';
import { runJobs, searchEveryMs } from '#api/jobs/runner.ts';
import { allJobs } from '#api/jobs/start.job.ts';
import { startTestApi } from '#api/test/support/fixtures.ts';
import { createLogger } from '#shared/log/log.ts';
import type { Sql } from '#shared/postgres/kernel/client.ts';
import { findDue } from '#shared/postgres/kernel/due-work.ts';
import { areRunsDue, readRunAges, scheduleRuns } from '#shared/postgres/kernel/periodic-runs.ts';
import { testStores } from '#shared/testing/stores.ts';
import { VirtualClock } from '#shared/testing/virtual-clock.ts';

const log = createLogger('hourly-jobs', 'silent');

/** Runs jobs in a process until its first search has started what was due. */
async function runOnce(sql: Sql, jobs: Job[]): Promise<void> {
  const clock = new VirtualClock();
  const searched = Promise.withResolvers<void>();
  const end: Job = { name: 'end', every: 0, due: () => sql`true`, run: async () => searched.resolve() };
  const running = await runJobs({ sql, clock, log }, [...jobs, end]);
  clock.advance(searchEveryMs);
  await searched.promise;
  await running.stop();
}

/** Returns processes with one hourly job, each of which looks once, and counts the runs. */
async function startProcess(sql: Sql, name: string, fail = false) {
  const counted = { runs: 0 };
  const run = async () => {
    counted.runs += 1;
    if (fail) throw new Error('it fails');
  };
  const job: Job = { name, every: 3_600_000, oncePer: 'installation', run };
  await scheduleRuns(sql, [job]);
  const look = () => runOnce(sql, [job]);
  const isDue = async () => (await findDue(sql, [areRunsDue(sql, [name])]))[0];
  return { counted, look, isDue };
}

/** Lets time pass, as the schedule sees it. */
async function pass(sql: Sql, minutes: number): Promise<void> {
  await sql`update periodic_runs set due_at = due_at - ${minutes} * interval '1 minute'`;
}

void t.test('runs a job for the first time an hour after the first start', async (t) => {
  const { sql } = await testStores(t);
  const { counted, look, isDue } = await startProcess(sql, 'new');
  await pass(sql, 59);
  await look();
  t.same([counted.runs, await isDue()], [0, false]);
  await pass(sql, 2);
  t.equal(await isDue(), true);
  await look();
  t.same([counted.runs, await isDue()], [1, false]);
});

void t.test('runs a job each hour although processes restart more often', async (t) => {
  const { sql } = await testStores(t);
  let runs = 0;
  for (let restart = 0; restart < 6; restart += 1) {
    const { counted, look } = await startProcess(sql, 'restarted');
    await look();
    await pass(sql, 50);
    runs += counted.runs;
  }
  t.equal(runs, 2, 'after 100 and after 200 minutes');
});

void t.test('runs a job on one of several processes', async (t) => {
  const { sql } = await testStores(t);
  const processes = await Promise.all([1, 2, 3, 4].map(() => startProcess(sql, 'shared')));
  for (const expected of [1, 2, 3]) {
    await pass(sql, 61);
    await Promise.all(processes.map(({ look }) => look()));
    t.equal(sumOf(processes), expected);
  }
});

void t.test('repeats a job that failed after an hour, and leaves those of others', async (t) => {
  const { sql } = await testStores(t);
  const failing = await startProcess(sql, 'failing', true);
  const other = await startProcess(sql, 'other');
  await pass(sql, 61);
  await failing.look();
  await failing.look();
  t.same([failing.counted.runs, other.counted.runs, await other.isDue()], [1, 0, true]);
  await pass(sql, 61);
  await failing.look();
  t.equal(failing.counted.runs, 2);
});

void t.test('stores the time of the latest success of a job', async (t) => {
  const { sql } = await testStores(t);
  const succeeding = await startProcess(sql, 'succeeding');
  const failing = await startProcess(sql, 'failing', true);
  await sql`update periodic_runs set succeeded_at = now() - interval '1 day'`;
  await pass(sql, 61);
  await Promise.all([succeeding.look(), failing.look()]);
  const ages = new Map((await readRunAges(sql)).map(({ name, ageSeconds }) => [name, ageSeconds]));
  t.ok((ages.get('succeeding') ?? Infinity) < 3600);
  t.ok((ages.get('failing') ?? 0) >= 86_400);
});

void t.test('starts no run after its stop', async (t) => {
  const { sql } = await testStores(t);
  let runs = 0;
  const clock = new VirtualClock();
  const late: Job = { name: 'late', every: 3_600_000, oncePer: 'installation', run: async () => void runs++ };
  const jobs = await runJobs({ sql, clock, log }, [late]);
  await pass(sql, 61);
  clock.advance(searchEveryMs);
  await jobs.stop();
  clock.advance(searchEveryMs);
  t.equal(runs, 0);
  t.same(await findDue(sql, [areRunsDue(sql, ['late'])]), [true], 'another process can take it');
});

void t.test('removes past records by the jobs of the product', async (t) => {
  const { deps, stores } = await startTestApi(t);
  const { sql } = stores;
  const all = allJobs({ ...deps, log, longJobs: deps });
  t.teardown(() => Promise.all(all.flatMap(({ stop }) => stop?.() ?? [])));
  const jobs = all.filter(({ oncePer }) => oncePer === 'installation');
  await scheduleRuns(sql, jobs);
  await sql`insert into mails (kind, created_at) values ('alerts', now() - interval '31 days')`;
  await pass(sql, 61);
  await runOnce(sql, jobs);
  t.same(await sql`select id from mails`, []);
});

function sumOf(processes: readonly { counted: { runs: number } }[]): number {
  return processes.reduce((sum, { counted }) => sum + counted.runs, 0);
}
