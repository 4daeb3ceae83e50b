import { randomUUID } from 'node:crypto';
import { type JobName, type JobPayloads, jobPolicies } from '#shared/domain/kernel/jobs.ts';
import type { Fragment, Queryable, Sql } from './client.ts';

/** Channel on which PostgreSQL announces the name of a job that can run at once. */
export const jobChannel = 'queued_jobs';

/** Queues a job within a transaction; it runs once that is committed, or after a time (`startAfter`). */
export async function enqueue<Name extends JobName>(
  sql: Queryable,
  name: Name,
  payload: JobPayloads[Name],
  { startAfter }: { startAfter?: Date } = {},
): Promise<void> {
  await sql`
    with queued as (
      insert into queued_jobs (id, name, payload, due_at)
      values (${randomUUID()}, ${name}, ${sql.json(payload)}, coalesce(${startAfter ?? null}::timestamptz, now()))
      returning due_at
    )
    select pg_notify(${jobChannel}, ${name}) from queued where due_at <= now()`;
}

/** Condition that a job with one of these names is due. */
export const areJobsDue = (sql: Sql, names: readonly JobName[]): Fragment =>
  sql`exists (select from queued_jobs where name = any(${names}::text[]) and due_at <= now())`;

/** Right of one process to run a job. */
export interface ClaimedJob<Name extends JobName = JobName> {
  id: string;
  payload: JobPayloads[Name];
  /** Number of runs, including this one. */
  attempts: number;
}

/** Claims up to `limit` due jobs of a name, the oldest first. A job whose process dies is due again after its policy's expiry. */
export function claimJobs<Name extends JobName>(
  sql: Sql,
  name: Name,
  limit: number,
): Promise<ClaimedJob<Name>[]> {
  const { expireInSeconds, retryLimit } = jobPolicies[name];
  return sql<ClaimedJob<Name>[]>`
    with due as (
      select id, attempts from queued_jobs where name = ${name} and due_at <= now()
      order by due_at limit ${limit} for update skip locked
    ), given_up as (
      delete from queued_jobs using due where queued_jobs.id = due.id and due.attempts > ${retryLimit}
    )
    update queued_jobs j set attempts = j.attempts + 1, due_at = now() + make_interval(secs => ${expireInSeconds})
    from due where j.id = due.id and due.attempts <= ${retryLimit}
    returning j.id, j.payload, j.attempts`;
}

/** Removes a job that is done. Changes nothing when another process has claimed it since. */
export async function endJob(sql: Sql, { id, attempts }: Pick<ClaimedJob, 'id' | 'attempts'>): Promise<void> {
  await sql`delete from queued_jobs where id = ${id} and attempts = ${attempts}`;
}

/** Schedules the next run of a job that failed, or removes it after its last one. Returns true when it runs again. */
export async function retryJob(
  sql: Sql,
  name: JobName,
  job: Pick<ClaimedJob, 'id' | 'attempts'>,
): Promise<boolean> {
  const { retryLimit, retryDelay, retryDelayMax } = jobPolicies[name];
  const { id, attempts } = job;
  if (attempts > retryLimit) {
    await endJob(sql, job);
    return false;
  }
  const seconds = Math.min(retryDelay * 2 ** Math.min(attempts - 1, 30), retryDelayMax);
  await sql`
    update queued_jobs set due_at = now() + make_interval(secs => ${seconds})
    where id = ${id} and attempts = ${attempts}`;
  return true;
}

/** Jobs of one name that could run now, and the age of the one that waits longest. */
interface JobLag {
  name: JobName;
  waiting: number;
  lagSeconds: number;
}

/** Reads how far queued jobs are behind. */
export function readJobLags(sql: Queryable): Promise<JobLag[]> {
  return sql<JobLag[]>`
    select name, count(*)::integer as waiting,
      extract(epoch from now() - min(due_at))::double precision as "lagSeconds"
    from queued_jobs where due_at <= now() group by name`;
}
