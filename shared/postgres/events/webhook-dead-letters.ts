import { type DeadLetterReason, replayPrefix } from '#shared/domain/events/webhook.ts';
import type { Queryable, Sql, Transaction } from '#shared/postgres/kernel/client.ts';
import { type RetryRecord, settleRetry } from './webhook-retries.ts';

/** Event that was given up, or a range of events that was lost. */
export interface DeadLetter {
  id: number;
  uuid: string;
  reason: DeadLetterReason;
  /** Of a range: its events follow this position. */
  afterPosition: bigint;
  position: bigint;
  /** Null for a range. */
  eventId: bigint | null;
  type: string | null;
  body: string | null;
  tries: number;
  lastError: string | null;
  createdAt: Date;
}

const columns = (sql: Queryable) => sql`
  id::float8 as id, uuid, reason, after_position as "afterPosition", position, event_id as "eventId", type, body, tries,
  last_error as "lastError", created_at as "createdAt"`;

/** Makes a waiting event a dead letter, and returns the next one of its key, or null. */
export async function buryRetry(
  sql: Sql,
  endpointId: number,
  retry: RetryRecord,
  death: { reason: 'refused' | 'expired'; tries: number; error: string },
): Promise<RetryRecord | null> {
  return sql.begin(async (transaction) => {
    await transaction`
      insert into webhook_dead_letters (endpoint_id, reason, after_position, position, event_id, type, body, tries, last_error)
      select endpoint_id, ${death.reason}, position - 1, position, event_id, type, body, ${death.tries}, ${death.error}
      from webhook_retries where id = ${retry.id}`;
    return settleRetry(transaction, endpointId, retry);
  });
}

/** Lists the dead letters of an endpoint after this id, oldest first. */
export async function listDeadLetters(
  sql: Queryable,
  endpointId: number,
  after: number | null,
  limit: number,
): Promise<DeadLetter[]> {
  return sql<DeadLetter[]>`
    select ${columns(sql)} from webhook_dead_letters where endpoint_id = ${endpointId} and id > ${after ?? 0}
    order by id limit ${limit}`;
}

/** Returns one dead letter of an endpoint, locked until the end of the transaction, or null. */
export async function lockDeadLetter(
  transaction: Transaction,
  endpointId: number,
  uuid: string,
): Promise<DeadLetter | null> {
  const [row] = await transaction<DeadLetter[]>`
    select ${columns(transaction)} from webhook_dead_letters where endpoint_id = ${endpointId} and uuid = ${uuid}
    for update`;
  return row ?? null;
}

/** Makes the event of a dead letter due again, alongside the order of its subject. */
export async function replayDeadLetter(transaction: Transaction, id: number): Promise<void> {
  await transaction`
    with letter as (delete from webhook_dead_letters where id = ${id} returning *)
    insert into webhook_retries (endpoint_id, lane_key, position, event_id, type, body)
    select endpoint_id, ${replayPrefix} || event_id, position, event_id, type, body from letter
    on conflict (endpoint_id, lane_key, position) do nothing`;
}

/** Deletes up to `limit` dead letters that are older than `days`. Returns their number. */
export async function removeOldDeadLetters(sql: Sql, days: number, limit: number): Promise<number> {
  const { count } = await sql`
    delete from webhook_dead_letters where id in (
      select id from webhook_dead_letters where created_at < now() - make_interval(days => ${days})
      order by created_at limit ${limit})`;
  return count;
}
