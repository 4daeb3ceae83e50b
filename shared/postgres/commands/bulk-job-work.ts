import {
  type BulkAction,
  bulkFailures,
  type BulkJobState,
  bulkLeaseSeconds,
  type BulkResult,
} from '#shared/domain/commands/bulk-job.ts';
import type { Fragment, Sql, Transaction } from '#shared/postgres/kernel/client.ts';
import { moveBulkJob } from './bulk-jobs.statements.ts';

/** A job with what a worker needs to send its commands. */
export interface BulkWork {
  id: number;
  uuid: string;
  action: BulkAction;
  sealedParameters: Buffer;
  sealingKey: string;
  concurrency: number;
  /** Hash of the secret of the key that created it; null: an operator did. */
  creatorKeyHash: Buffer | null;
  creatorOperatorUuid: string | null;
  ipAddress: string;
}

/** A charger of a job that this process commands. */
export interface ClaimedItem {
  id: number;
  chargerUuid: string;
}

/** Condition that there is a job to work on, or an attempt whose process died. */
export const areBulkJobsDue = (sql: Sql): Fragment => sql`(
  exists (select from bulk_jobs where state in ('QUEUED', 'RUNNING'))
  or exists (select from bulk_job_items where outcome = 'running' and started_at < ${leaseEnd(sql)}))`;

const leaseEnd = (sql: Sql | Transaction) => sql`now() - make_interval(secs => ${bulkLeaseSeconds})`;

/** Returns the unfinished jobs whose parameters these sealing keys open. */
export async function listBulkWork(sql: Sql, knownKeys: readonly string[]): Promise<BulkWork[]> {
  return sql<BulkWork[]>`
    select j.id, j.uuid, j.action, j.sealed_parameters as "sealedParameters", j.sealing_key as "sealingKey", j.concurrency,
      k.secret_hash as "creatorKeyHash", o.uuid as "creatorOperatorUuid", j.ip_address as "ipAddress"
    from bulk_jobs j
    left join api_keys k on k.id = j.created_by_key_id
    left join operators o on o.id = j.created_by_operator_id
    where j.state in ('QUEUED', 'RUNNING') and j.sealing_key = any(${knownKeys}::text[]) order by j.id`;
}

/**
 * Claims the next charger of a job; null when none is queued, the job has ended, or as many commands as it allows are in progress in
 * all processes together. The claim is committed before the command is sent, so that no command is sent twice. The last result
 * finishes the job.
 */
export async function claimItem(sql: Sql, jobId: number): Promise<ClaimedItem | null> {
  return sql.begin(async (transaction) => {
    const [job] = await transaction<{ state: BulkJobState; concurrency: number }[]>`
      select state, concurrency from bulk_jobs where id = ${jobId} and state in ('QUEUED', 'RUNNING') for update`;
    if (job === undefined) return null;
    // Counted after the lock: a count in the same statement is as old as the wait for it.
    const [running] = await transaction<{ count: number }[]>`
      select count(*)::integer as count from bulk_job_items where job_id = ${jobId} and outcome = 'running'`;
    if ((running?.count ?? 0) >= job.concurrency) return null;
    const [item] = await transaction<ClaimedItem[]>`
      update bulk_job_items i set outcome = 'running', started_at = clock_timestamp()
      from chargers c
      where c.id = i.charger_id and i.id = (
        select id from bulk_job_items where job_id = ${jobId} and outcome = 'queued' order by id limit 1)
      returning i.id, c.uuid as "chargerUuid"`;
    if (item !== undefined && job.state === 'QUEUED') await moveBulkJob(transaction, jobId, 'started');
    return item ?? null;
  });
}

/** Returns a charger to the queue, when its command was certainly not sent. */
export async function returnItem(sql: Sql, itemId: number): Promise<void> {
  await sql`
    update bulk_job_items set outcome = 'queued', started_at = null where id = ${itemId} and outcome = 'running'`;
}

/** Result of an attempt. */
export interface ItemResult {
  outcome: BulkResult;
  answer: string | null;
  errorCode: string | null;
  message: string | null;
}

/** Stores the result of an attempt, once, and ends a job that has no more chargers or too many failures. */
export async function recordItem(
  sql: Sql,
  jobId: number,
  itemId: number,
  { outcome, answer, errorCode, message }: ItemResult,
): Promise<void> {
  await sql.begin(async (transaction) => {
    await transaction`select from bulk_jobs where id = ${jobId} for update`;
    await transaction`
      update bulk_job_items set outcome = ${outcome}, ended_at = clock_timestamp(), answer = ${answer},
        error_code = ${errorCode}, message = ${message}
      where id = ${itemId} and outcome = 'running'`;
    await endIfDone(transaction, jobId);
  });
}

/** Ends a job whose creator may not send its commands any more. The claimed charger is skipped. */
export async function stopForCreator(
  sql: Sql,
  jobId: number,
  itemId: number,
  error: Pick<ItemResult, 'errorCode' | 'message'>,
): Promise<void> {
  await sql.begin(async (transaction) => {
    await transaction`select from bulk_jobs where id = ${jobId} for update`;
    await transaction`
      update bulk_job_items set outcome = 'skipped', ended_at = clock_timestamp(), error_code = ${error.errorCode},
        message = ${error.message}
      where id = ${itemId} and outcome = 'running'`;
    await moveBulkJob(transaction, jobId, 'stopped', 'CREATOR_NOT_ALLOWED');
  });
}

/**
 * Gives attempts whose process died the outcome `unknown`: whether the command reached the charger is not known, and it is not sent
 * again.
 */
export async function releaseLostItems(sql: Sql): Promise<number> {
  const jobs = await sql<{ jobId: number }[]>`
    select distinct job_id as "jobId" from bulk_job_items where outcome = 'running' and started_at < ${leaseEnd(sql)}`;
  let released = 0;
  for (const { jobId } of jobs) {
    released += await sql.begin(async (transaction) => {
      // The job before its chargers, as everywhere.
      await transaction`select from bulk_jobs where id = ${jobId} for update`;
      const lost = await transaction`
        update bulk_job_items set outcome = 'unknown', ended_at = clock_timestamp(),
          message = 'The process that sent the command ended before its answer. Whether the charger received it is not known.'
        where job_id = ${jobId} and outcome = 'running' and started_at < ${leaseEnd(transaction)} returning id`;
      await endIfDone(transaction, jobId);
      return lost.length;
    });
  }
  return released;
}

async function endIfDone(transaction: Transaction, jobId: number): Promise<void> {
  const [state] = await transaction<{ isDone: boolean; isFailing: boolean }[]>`
    select not exists (
        select from bulk_job_items where job_id = ${jobId} and outcome in ('queued', 'running')) as "isDone",
      stop_after_failures is not null and (
        select count(*) from bulk_job_items
        where job_id = ${jobId} and outcome = any(${[...bulkFailures]}::text[])) >= stop_after_failures as "isFailing"
    from bulk_jobs where id = ${jobId}`;
  if (state?.isDone === true) await moveBulkJob(transaction, jobId, 'finished');
  else if (state?.isFailing === true) await moveBulkJob(transaction, jobId, 'stopped', 'FAILURES');
}
