import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { type JobHandlers, QueueWorker } from '#api/jobs/queue-worker.ts';
import { jobPolicies } from '#shared/domain/kernel/jobs.ts';
import { createLogger } from '#shared/log/log.ts';
import type { Sql } from '#shared/postgres/kernel/client.ts';
import { findDue } from '#shared/postgres/kernel/due-work.ts';
import { areJobsDue, claimJobs, endJob, enqueue, retryJob } from '#shared/postgres/kernel/jobs.statements.ts';
import { testStores } from '#shared/testing/stores.ts';
import { until } from '#shared/testing/until.ts';

const log = createLogger('queued-jobs', 'silent');

function startWorker(t: Test, sql: Sql, handlers: JobHandlers): QueueWorker {
  const worker = new QueueWorker({ sql, log }, handlers);
  t.teardown(() => worker.stop());
  return worker;
}

const stored = (sql: Sql) => sql`
  select payload, attempts, due_at > now() as later from queued_jobs order by payload ->> 'mailId'`;

const isDue = async (sql: Sql) => (await findDue(sql, [areJobsDue(sql, ['send-mail', 'ocpi-command'])]))[0];

const inOrder = (ids: Iterable<number>) => [...ids].toSorted((a, b) => a - b);

void t.test('runs a job once over all processes and retries it when it fails', async (t) => {
  const { sql } = await testStores(t);
  const ran: number[] = [];
  const run = async ({ mailId }: { mailId: number }) => {
    ran.push(mailId);
    if (mailId === 3) throw new Error('it fails');
  };
  const workers = [1, 2].map(() => startWorker(t, sql, { 'send-mail': run }));

  await sql.begin((transaction) => enqueue(transaction, 'send-mail', { mailId: 1 }));
  await sql
    .begin(async (transaction) => {
      await enqueue(transaction, 'send-mail', { mailId: 2 });
      throw new Error('rolled back');
    })
    .catch(() => undefined);
  const startAfter = new Date(Date.now() + 3_600_000);
  await enqueue(sql, 'send-mail', { mailId: 4 }, { startAfter });
  await enqueue(sql, 'send-mail', { mailId: 3 });
  for (const worker of workers) worker.look();
  await until('both were run', async () => ran.length === 2 && (await stored(sql)).length === 2);
  for (const worker of workers) await worker.stop();
  t.same(
    await stored(sql),
    [
      { payload: { mailId: 3 }, attempts: 1, later: true },
      { payload: { mailId: 4 }, attempts: 0, later: true },
    ],
    'a rolled-back job does not exist',
  );
  t.same(inOrder(ran), [1, 3]);
});

void t.test('runs a job at once when its transaction commits', async (t) => {
  const { sql } = await testStores(t);
  const ran = Promise.withResolvers<number>();
  startWorker(t, sql, { 'send-mail': async ({ mailId }) => ran.resolve(mailId) });
  await until('the worker listens', async () => {
    const [listener] = await sql`
      select from pg_stat_activity where datname = current_database() and query ilike 'listen%queued_jobs%'`;
    return listener !== undefined;
  });
  await sql.begin((transaction) => enqueue(transaction, 'send-mail', { mailId: 7 }));
  t.equal(await ran.promise, 7);
});

void t.test('runs due jobs without a pause between them', async (t) => {
  const { sql } = await testStores(t);
  for (let mailId = 1; mailId <= 40; mailId += 1) await enqueue(sql, 'send-mail', { mailId });
  const ran = new Set<number>();
  let most = 0;
  let running = 0;
  const worker = startWorker(t, sql, {
    async 'send-mail'({ mailId }) {
      most = Math.max(most, (running += 1));
      await sql`select`;
      running -= 1;
      ran.add(mailId);
      if (mailId % 2 === 1) throw new Error('it fails');
    },
  });
  worker.look();
  await until('all were run', () => ran.size === 40);
  t.equal(most, jobPolicies['send-mail'].concurrency);
});

void t.test('runs other jobs alongside a long one', async (t) => {
  const { sql } = await testStores(t);
  const ran: number[] = [];
  const long = Promise.withResolvers<void>();
  const worker = startWorker(t, sql, {
    async 'send-mail'({ mailId }) {
      ran.push(mailId);
      if (mailId === 1) await long.promise;
    },
    'ocpi-command': async () => undefined,
  });
  t.teardown(() => long.resolve());
  await enqueue(sql, 'send-mail', { mailId: 1 });
  worker.look();
  await until('the long job', () => ran.includes(1));
  t.equal(await isDue(sql), false, 'nothing is due while it runs');
  const startAfter = new Date(Date.now() + 3_600_000);
  for (const mailId of [2, 3, 4, 5]) await enqueue(sql, 'send-mail', { mailId }, { startAfter });
  t.equal(await isDue(sql), false);
  await sql`update queued_jobs set due_at = now() where attempts = 0`;
  t.equal(await isDue(sql), true);
  worker.look();
  await until('the delayed jobs', () => ran.length === 5);
  t.same(inOrder(ran), [1, 2, 3, 4, 5]);
});

void t.test(
  'runs a job again whose process died, and leaves it to the process that took it over',
  async (t) => {
    const { sql } = await testStores(t);
    await enqueue(sql, 'ocpi-command', { uuid: 'command' });
    const [dead] = await claimJobs(sql, 'ocpi-command', 5);
    t.match(dead, { payload: { uuid: 'command' }, attempts: 1 });
    t.same(await claimJobs(sql, 'ocpi-command', 5), [], 'no other process has it');
    await sql`update queued_jobs set due_at = now()`;
    const [again] = await claimJobs(sql, 'ocpi-command', 5);
    t.match(again, { id: dead?.id, attempts: 2 });
    await endJob(sql, dead!);
    await retryJob(sql, 'ocpi-command', dead!);
    t.match(
      await sql`select attempts from queued_jobs`,
      [{ attempts: 2 }],
      'a late end of the first changes nothing',
    );
    await endJob(sql, again!);
    t.same(await sql`select from queued_jobs`, []);
  },
);

void t.test('retries a job with growing delays and removes it after the last run', async (t) => {
  const { sql } = await testStores(t);
  const { retryLimit, retryDelay, retryDelayMax } = jobPolicies['ocpi-result'];
  await enqueue(sql, 'ocpi-result', { uuid: 'command', about: 'result' });
  const delays: number[] = [];
  for (let run = 0; run <= retryLimit; run += 1) {
    const [job] = await claimJobs(sql, 'ocpi-result', 1);
    t.equal(await retryJob(sql, 'ocpi-result', job!), run < retryLimit, 'whether it runs again');
    const [row] = await sql<{ seconds: number }[]>`
      update queued_jobs set due_at = now() returning (
        select round(extract(epoch from due_at - now()))::integer from queued_jobs) as seconds`;
    if (row !== undefined) delays.push(row.seconds);
  }
  t.equal(delays.length, retryLimit);
  t.same(
    delays,
    delays.toSorted((a, b) => a - b),
  );
  t.same([delays[0], delays.at(-1)], [retryDelay, retryDelayMax]);
  t.same(await sql`select from queued_jobs`, []);
});

void t.test('removes a job whose process died in its last run', async (t) => {
  const { sql } = await testStores(t);
  const { retryLimit } = jobPolicies['ocpi-result'];
  await enqueue(sql, 'ocpi-result', { uuid: 'command', about: 'result' });
  await sql`update queued_jobs set attempts = ${retryLimit + 1}`;
  t.same(await claimJobs(sql, 'ocpi-result', 1), []);
  t.same(await sql`select from queued_jobs`, []);
});

void t.test('takes over the waiting jobs of pg-boss', async (t) => {
  const { sql } = await testStores(t, { fresh: true });
  await sql`create schema jobs`;
  await sql`create table jobs.job (
    id uuid default gen_random_uuid(), name text, data jsonb, state text, start_after timestamptz, retry_count integer)`;
  await sql`insert into jobs.job (name, data, state, start_after, retry_count) values
    ('send-mail', '{"mailId": 1}', 'created', now() + interval '1 hour', 0),
    ('send-mail', '{"mailId": 2}', 'retry', now(), 3),
    ('send-mail', '{"mailId": 3}', 'active', now(), 0),
    ('send-mail', '{"mailId": 4}', 'completed', now(), 0)`;
  const file = join(import.meta.dirname, '../../../shared/postgres/migrations/0731_queued_jobs.sql');
  const [, block = ''] = (await readFile(file, 'utf8')).split(/^-- safe:.*$/m);
  await sql.unsafe(block);
  t.same(await stored(sql), [
    { payload: { mailId: 1 }, attempts: 0, later: true },
    { payload: { mailId: 2 }, attempts: 3, later: false },
    { payload: { mailId: 3 }, attempts: 0, later: true },
  ]);
  t.same(await sql`select from pg_namespace where nspname = 'jobs'`, []);
  await sql.unsafe(block);
  t.equal((await stored(sql)).length, 3, 'a database without pg-boss is left as it is');
});
