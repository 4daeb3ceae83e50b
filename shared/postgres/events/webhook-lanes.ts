import type { WebhookFilter, WebhookOrder } from '#shared/domain/events/webhook.ts';
import type { BreakerCounts } from '#shared/domain/kernel/circuit-breaker.ts';
import type { Fragment, Queryable, Sql } from '#shared/postgres/kernel/client.ts';
import { isDeliverable } from './webhook-endpoints.statements.ts';

/** Right of one process to deliver to an endpoint, until it expires or another takes it. */
export interface Lease {
  endpointId: number;
  lease: string;
}

/** Endpoint that this process delivers to. */
export interface ClaimedLane extends Lease, WebhookFilter, BreakerCounts {
  endpointUuid: string;
  networkId: number;
  url: string;
  order: WebhookOrder;
  version: number;
  /** Each event up to it is settled. */
  position: bigint;
  /** Time at which the circuit breaker opened. Null: closed. */
  downSince: Date | null;
}

/** The condition that an endpoint `e` with lane `l` has something to deliver now. */
const hasWork = (sql: Queryable): Fragment => sql`
  ((l.open_until is null or l.open_until <= now())
    and (exists (select from webhook_retries r where r.endpoint_id = l.endpoint_id and r.due_at <= now())
      or l.down_since is not null and exists (select from webhook_retries r where r.endpoint_id = l.endpoint_id)
      -- With delivery in one order, the event that is tried again comes before all others.
      or not (e.delivery_order = 'endpoint'
          and exists (select from webhook_retries r where r.endpoint_id = l.endpoint_id and r.lane_key = ''))
        -- Not with exists: it reads the whole table at the end of the log.
        and (select o.position from outbox o
          where o.network_id = e.network_id and o.subject_uuid is not null and o.position > l.position
          order by o.position limit 1) is not null))`;

/** The lanes with work that no process delivers to. */
const dueLanes = (sql: Queryable): Fragment => sql`
  select l.endpoint_id from webhook_lanes l join webhook_endpoints e on e.id = l.endpoint_id
  where (l.leased_until is null or l.leased_until <= now()) and ${isDeliverable(sql)} and ${hasWork(sql)}`;

/** The condition that there is something to deliver, or an event without a position while there are endpoints. */
export const areWebhooksDue = (sql: Queryable): Fragment => sql`
  (exists (${dueLanes(sql)})
    or exists (select from outbox where position is null) and exists (select from webhook_lanes))`;

/** Takes the lease of endpoints with work whose secrets this process can open. */
export async function claimLanes(
  sql: Sql,
  { knownKeys, leaseMs, limit }: { knownKeys: readonly string[]; leaseMs: number; limit: number },
): Promise<ClaimedLane[]> {
  return sql<ClaimedLane[]>`
    with due as materialized (
      ${dueLanes(sql)}
        and exists (select from webhook_secrets s where s.endpoint_id = l.endpoint_id and s.sealing_key = any(${knownKeys}::text[]))
      limit ${limit} for update of l skip locked
    )
    update webhook_lanes l set leased_by = gen_random_uuid(), leased_until = now() + ${leaseMs} * interval '1 ms'
    from due, webhook_endpoints e
    where l.endpoint_id = due.endpoint_id and e.id = l.endpoint_id
    returning l.endpoint_id as "endpointId", l.leased_by as lease, e.uuid as "endpointUuid", e.network_id as "networkId",
      e.url, e.types, e.charger_uuid as "chargerUuid", e.location_uuid as "locationUuid", e.delivery_order as order,
      e.version, l.position, l.failures, l.opened, l.down_since as "downSince"`;
}

/** Renews leases. Returns those that are held still, with the version of their endpoint. */
export async function renewLeases(
  sql: Sql,
  held: readonly Lease[],
  leaseMs: number,
): Promise<{ lease: string; version: number }[]> {
  const ids = held.map(({ endpointId, lease }) => ({ endpointId, lease }));
  return sql<{ lease: string; version: number }[]>`
    update webhook_lanes l set leased_until = now() + ${leaseMs} * interval '1 ms'
    from jsonb_to_recordset(${sql.json(ids)}) as h ("endpointId" integer, lease uuid), webhook_endpoints e
    where l.endpoint_id = h."endpointId" and l.leased_by = h.lease and e.id = l.endpoint_id and ${isDeliverable(sql)}
    returning l.leased_by as lease, e.version`;
}

/** Progress of a lane since it was stored last. */
export interface LaneProgress extends Lease {
  position: bigint;
  delivered: number;
}

/** Stores the progress of lanes in one statement. Lanes whose lease was lost stay as they are. */
export async function saveProgress(sql: Sql, progress: readonly LaneProgress[]): Promise<void> {
  const rows = progress.map(({ endpointId, lease, position, delivered }) => ({
    endpointId,
    lease,
    position: String(position),
    delivered,
  }));
  await sql`
    update webhook_lanes l set position = greatest(l.position, p.position), delivered = l.delivered + p.delivered,
      last_delivered_at = case when p.delivered > 0 then now() else l.last_delivered_at end
    from jsonb_to_recordset(${sql.json(rows)}) as
      p ("endpointId" integer, lease uuid, position bigint, delivered bigint)
    where l.endpoint_id = p."endpointId" and l.leased_by = p.lease`;
}

/** Gives a lease back. */
export async function releaseLane(sql: Sql, { endpointId, lease }: Lease): Promise<void> {
  await sql`
    update webhook_lanes set leased_by = null, leased_until = null
    where endpoint_id = ${endpointId} and leased_by = ${lease}`;
}

/**
 * Stores a failure.
 * @param pauseMs time for which nothing is sent; null: no pause.
 */
export async function recordLaneFailure(
  sql: Sql,
  { endpointId, lease }: Lease,
  failure: BreakerCounts & { pauseMs: number | null; isDown: boolean; error: string },
): Promise<void> {
  await sql`
    update webhook_lanes set failures = ${failure.failures}, opened = ${failure.opened}, failed = failed + 1,
      open_until = ${failure.pauseMs === null ? sql`open_until` : sql`now() + ${failure.pauseMs} * interval '1 ms'`},
      down_since = case when ${failure.isDown} then coalesce(down_since, now()) end,
      last_failed_at = now(), last_error = ${failure.error}
    where endpoint_id = ${endpointId} and leased_by = ${lease}`;
}

/** Closes the breaker of an endpoint that answers again. What waits for the next try is due, when it was down. */
export async function recordRecovery(
  sql: Sql,
  { endpointId, lease }: Lease,
  wasDown: boolean,
): Promise<void> {
  await sql`
    update webhook_lanes set failures = 0, opened = 0, open_until = null, down_since = null
    where endpoint_id = ${endpointId} and leased_by = ${lease}`;
  if (!wasDown) return;
  await sql`
    update webhook_retries set due_at = now()
    where endpoint_id = ${endpointId} and due_at > now() and due_at < 'infinity'`;
}

/** Moves the position of an endpoint. The process that delivers loses its lease. Events after the position are not tried twice. */
export async function moveLane(sql: Queryable, endpointId: number, position: bigint): Promise<void> {
  await sql`
    update webhook_lanes set position = ${String(position)}::bigint, leased_by = null, leased_until = null
    where endpoint_id = ${endpointId}`;
  await sql`
    delete from webhook_retries where endpoint_id = ${endpointId} and position > ${String(position)}::bigint
      and not starts_with(lane_key, 'replay:')`;
}

/** Ends the lease of an endpoint, so that its process reads what waits again. */
export async function endLease(sql: Queryable, endpointId: number): Promise<void> {
  await sql`
    update webhook_lanes set leased_by = null, leased_until = null where endpoint_id = ${endpointId}`;
}

/** Begins a lane again after an operator enabled its endpoint: at its position, with a closed breaker. */
export async function reopenLane(sql: Queryable, endpointId: number): Promise<void> {
  await sql`
    update webhook_lanes set failures = 0, opened = 0, open_until = null, down_since = null
    where endpoint_id = ${endpointId}`;
}

/** Returns the position before the first public event of a network at or after a time. */
export async function positionBefore(sql: Queryable, networkId: number, time: Date): Promise<bigint> {
  const [row] = await sql<{ position: bigint }[]>`
    select coalesce(
      (select position - 1 from outbox where network_id = ${networkId} and subject_uuid is not null
        and position is not null and occurred_at >= ${time} order by position limit 1),
      (select max(position) from outbox), 0) as position`;
  return row?.position ?? 0n;
}
