import type {
  BulkAction,
  BulkJobEvent,
  BulkJobState,
  BulkOutcome,
  BulkStopReason,
} from '#shared/domain/commands/bulk-job.ts';
import { bulkJobTransitions, bulkOutcomes } from '#shared/domain/commands/bulk-job.ts';
import type { NetworkScope } from '#shared/domain/access/tenancy.ts';
import type { Queryable, Transaction } from '#shared/postgres/kernel/client.ts';

/** A bulk job as the API shows it. */
export interface BulkJobRecord {
  id: number;
  uuid: string;
  action: BulkAction;
  /** With secrets masked. */
  parameters: Record<string, unknown>;
  total: number;
  concurrency: number;
  stopAfterFailures: number | null;
  state: BulkJobState;
  stopReason: BulkStopReason | null;
  networkIds: number[];
  creatorName: string | null;
  createdAt: Date;
  startedAt: Date | null;
  endedAt: Date | null;
}

/** Number of chargers by outcome. */
export type OutcomeCounts = Record<BulkOutcome, number>;

const columns = (sql: Queryable) => sql`
  j.id, j.uuid, j.action, j.parameters, j.total, j.concurrency, j.stop_after_failures as "stopAfterFailures", j.state,
  j.stop_reason as "stopReason", j.network_ids as "networkIds", j.creator_name as "creatorName",
  j.created_at as "createdAt", j.started_at as "startedAt", j.ended_at as "endedAt"`;

/** Condition that a caller may read every network of a job `j`. */
const isVisible = (sql: Queryable, scope: NetworkScope) =>
  scope.all ? sql`true` : sql`j.network_ids <@ ${[...scope.networkIds]}::integer[]`;

/** Fields of a new job. */
interface NewBulkJob {
  networkIds: readonly number[];
  action: BulkAction;
  parameters: Record<string, unknown>;
  sealedParameters: Buffer;
  sealingKey: string;
  chargerIds: readonly number[];
  concurrency: number;
  stopAfterFailures: number | null;
  createdByKeyId: number | null;
  createdByOperatorId: number | null;
  creatorName: string | null;
  ipAddress: string;
}

/** Stores a job with its chargers, in their order. */
export async function insertBulkJob(transaction: Transaction, job: NewBulkJob): Promise<BulkJobRecord> {
  const [row] = await transaction<BulkJobRecord[]>`
    insert into bulk_jobs as j (network_ids, action, parameters, sealed_parameters, sealing_key, total, concurrency,
      stop_after_failures, created_by_key_id, created_by_operator_id, creator_name, ip_address)
    values (${[...job.networkIds]}::integer[], ${job.action}, ${transaction.json(job.parameters as never)},
      ${job.sealedParameters}, ${job.sealingKey}, ${job.chargerIds.length}, ${job.concurrency},
      ${job.stopAfterFailures}, ${job.createdByKeyId}, ${job.createdByOperatorId}, ${job.creatorName}, ${job.ipAddress})
    returning ${columns(transaction)}`;
  if (row === undefined) throw new Error('the insert of a bulk job returned no row');
  await transaction`
    insert into bulk_job_items (job_id, charger_id)
    select ${row.id}, charger_id from unnest(${[...job.chargerIds]}::integer[]) with ordinality as c (charger_id, place)
    order by place`;
  return row;
}

/** Returns the networks of chargers. */
export async function networksOfChargers(sql: Queryable, chargerIds: readonly number[]): Promise<number[]> {
  const rows = await sql<{ id: number }[]>`
    select distinct network_id as id from chargers where id = any(${[...chargerIds]}::integer[]) order by 1`;
  return rows.map(({ id }) => id);
}

/**
 * Returns the jobs in scope before a position, newest first.
 * @param networkId network of which a job has chargers; null: any
 */
export async function listBulkJobs(
  sql: Queryable,
  scope: NetworkScope,
  networkId: number | null,
  before: number | null,
  limit: number,
): Promise<BulkJobRecord[]> {
  return sql<BulkJobRecord[]>`
    select ${columns(sql)} from bulk_jobs j
    where ${isVisible(sql, scope)} ${networkId === null ? sql`` : sql`and j.network_ids @> array[${networkId}]::integer[]`}
      and (${before}::bigint is null or j.id < ${before}::bigint)
    order by j.id desc limit ${limit}`;
}

/** One job in scope, or null. `lock`: for a change in this transaction. */
export async function findBulkJob(
  sql: Queryable,
  scope: NetworkScope,
  uuid: string,
  lock = false,
): Promise<BulkJobRecord | null> {
  const [row] = await sql<BulkJobRecord[]>`
    select ${columns(sql)} from bulk_jobs j where j.uuid = ${uuid} and ${isVisible(sql, scope)}
    ${lock ? sql`for update` : sql``}`;
  return row ?? null;
}

/** Counts the chargers of a job by outcome. */
export async function countOutcomes(sql: Queryable, jobId: number): Promise<OutcomeCounts> {
  const rows = await sql<{ outcome: BulkOutcome; count: number }[]>`
    select outcome, count(*)::integer as count from bulk_job_items where job_id = ${jobId} group by outcome`;
  const counts = new Map(rows.map(({ outcome, count }) => [outcome, count]));
  return Object.fromEntries(bulkOutcomes.map((name) => [name, counts.get(name) ?? 0])) as OutcomeCounts;
}

/** Result of a charger of a job. */
export interface BulkItemRecord {
  id: number;
  chargerUuid: string;
  chargerUid: string;
  outcome: BulkOutcome;
  startedAt: Date | null;
  endedAt: Date | null;
  answer: string | null;
  errorCode: string | null;
  message: string | null;
}

/** Returns the results of a job after a position, in the order of the job. */
export async function listBulkItems(
  sql: Queryable,
  jobId: number,
  outcome: BulkOutcome | undefined,
  after: number | null,
  limit: number,
): Promise<BulkItemRecord[]> {
  return sql<BulkItemRecord[]>`
    select i.id, c.uuid as "chargerUuid", c.uid as "chargerUid", i.outcome, i.started_at as "startedAt",
      i.ended_at as "endedAt", i.answer, i.error_code as "errorCode", i.message
    from bulk_job_items i join chargers c on c.id = i.charger_id
    where i.job_id = ${jobId} ${outcome === undefined ? sql`` : sql`and i.outcome = ${outcome}`}
      and i.id > ${after ?? 0}
    order by i.id limit ${limit}`;
}

/**
 * Moves a job to the state that an event enters; false when its state does not allow the event. The chargers of a job that ends early
 * are cancelled, except those that are being commanded.
 */
export async function moveBulkJob(
  transaction: Transaction,
  jobId: number,
  event: BulkJobEvent,
  stopReason: BulkStopReason | null = null,
): Promise<boolean> {
  const { from, to } = bulkJobTransitions[event];
  const moved = await transaction`
    update bulk_jobs set state = ${to}, stop_reason = ${stopReason},
      started_at = case when ${event === 'started'} then now() else started_at end,
      ended_at = case when ${event === 'started'} then null else now() end
    where id = ${jobId} and state = any(${[...from]}::text[]) returning id`;
  if (moved.length === 0) return false;
  if (event === 'cancelled' || event === 'stopped') {
    await transaction`
      update bulk_job_items set outcome = 'cancelled', ended_at = now() where job_id = ${jobId} and outcome = 'queued'`;
  }
  return true;
}
