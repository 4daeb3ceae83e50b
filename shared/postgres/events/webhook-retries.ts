import type { Queryable, Sql } from '#shared/postgres/kernel/client.ts';
import type { Lease } from './webhook-lanes.ts';

/** Event that waits for an endpoint. */
interface WaitingEvent {
  laneKey: string;
  position: bigint;
  eventId: bigint;
  type: string;
  /** Body of the request. */
  body: string;
}

/** Event to be stored because it failed, or because one before it did. */
export interface ParkedEvent extends WaitingEvent {
  /** Tries so far. */
  tries: number;
  /** Time until the next try (ms). Null: after the events before it. */
  dueInMs: number | null;
  error: string | null;
}

/** Stored event of an endpoint. */
export interface RetryRecord extends WaitingEvent {
  id: bigint;
  tries: number;
  createdAt: Date;
}

const columns = (sql: Queryable) => sql`
  r.id, r.lane_key as "laneKey", r.position, r.event_id as "eventId", r.type, r.body, r.tries,
  r.created_at as "createdAt"`;

/** Returns the keys of an endpoint with waiting events, and the number of events of each. */
export async function countWaitingByKey(sql: Sql, endpointId: number): Promise<Map<string, number>> {
  const rows = await sql<{ laneKey: string; count: number }[]>`
    select lane_key as "laneKey", count(*)::integer as count from webhook_retries
    where endpoint_id = ${endpointId} group by lane_key`;
  return new Map(rows.map(({ laneKey, count }) => [laneKey, count]));
}

/** Stores events of a lane that wait. Returns false, and stores nothing, when the lease was lost. */
export async function parkEvents(
  sql: Sql,
  { endpointId, lease }: Lease,
  events: readonly ParkedEvent[],
): Promise<boolean> {
  if (events.length === 0) return true;
  const rows = events.map((event) => ({
    ...event,
    position: String(event.position),
    eventId: String(event.eventId),
  }));
  const [row] = await sql<{ isHeld: boolean }[]>`
    with held as materialized (
      select endpoint_id from webhook_lanes where endpoint_id = ${endpointId} and leased_by = ${lease} for share
    ), parked as (
      insert into webhook_retries (endpoint_id, lane_key, position, event_id, type, body, tries, due_at, last_error)
      select h.endpoint_id, e."laneKey", e.position, e."eventId", e.type, e.body, e.tries,
        case when e."dueInMs" is not null then now() + e."dueInMs" * interval '1 ms'
          -- The events that this one waits for may be delivered by now.
          when exists (select from webhook_retries r where r.endpoint_id = h.endpoint_id and r.lane_key = e."laneKey")
            then 'infinity' else now() end, e.error
      from held h, jsonb_to_recordset(${sql.json(rows)}) as e ("laneKey" text, position bigint,
        "eventId" bigint, type text, body text, tries integer, "dueInMs" double precision, error text)
      on conflict (endpoint_id, lane_key, position) do nothing
    )
    select exists (select from held) as "isHeld"`;
  return row?.isHeld === true;
}

/**
 * Returns the first event of each key that is due, the longest due first.
 * @param isProbe true for the one event that is tried, due or not, while the breaker is open.
 */
export async function listDueRetries(
  sql: Sql,
  endpointId: number,
  { limit, isProbe }: { limit: number; isProbe: boolean },
): Promise<RetryRecord[]> {
  return sql<RetryRecord[]>`
    with due as (
      select lane_key, min(due_at) as due_at from webhook_retries
      where endpoint_id = ${endpointId} ${isProbe ? sql`` : sql`and due_at <= now()`}
      group by lane_key order by 2 limit ${isProbe ? 1 : limit}
    )
    select ${columns(sql)} from due
    cross join lateral (
      select * from webhook_retries where endpoint_id = ${endpointId} and lane_key = due.lane_key
      order by position limit 1
    ) r
    order by due.due_at`;
}

/** Removes an event that is settled, and returns the next one of its key, or null. */
export async function settleRetry(
  sql: Queryable,
  endpointId: number,
  { id, laneKey }: Pick<RetryRecord, 'id' | 'laneKey'>,
): Promise<RetryRecord | null> {
  const [row] = await sql<RetryRecord[]>`
    with settled as (delete from webhook_retries where id = ${id})
    update webhook_retries r set due_at = now()
    where r.id = (
      select id from webhook_retries
      where endpoint_id = ${endpointId} and lane_key = ${laneKey} and id <> ${id} order by position limit 1)
    returning ${columns(sql)}`;
  return row ?? null;
}

/** Sets the next try of an event; those behind it wait. Does nothing when another process has settled the event. */
export async function postponeRetry(
  sql: Sql,
  endpointId: number,
  { id, laneKey }: Pick<RetryRecord, 'id' | 'laneKey'>,
  next: { tries: number; dueInMs: number; error: string },
): Promise<void> {
  await sql`
    update webhook_retries set
      due_at = case when id = ${id} then now() + ${next.dueInMs} * interval '1 ms' else 'infinity' end,
      tries = case when id = ${id} then ${next.tries} else tries end,
      last_error = case when id = ${id} then ${next.error} else last_error end
    where endpoint_id = ${endpointId} and lane_key = ${laneKey} and (id = ${id} or due_at < 'infinity')
      and exists (select from webhook_retries where id = ${id})`;
}
