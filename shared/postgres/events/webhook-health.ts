import type { DeadLetterReason } from '#shared/domain/events/webhook.ts';
import type { Queryable } from '#shared/postgres/kernel/client.ts';
import { isDeliverable } from './webhook-endpoints.statements.ts';

/** State of the delivery to an endpoint. */
export interface WebhookHealth {
  endpointId: number;
  position: bigint;
  /** Different events in a row that failed. */
  failures: number;
  /** Time at which the breaker opened. Null: closed. */
  downSince: Date | null;
  /** Time before which nothing is sent. Null: no pause. */
  openUntil: Date | null;
  /** Events of the network after the position, at most `maxBacklog`. */
  backlog: number;
  /** Events that failed, or wait behind one that did. */
  waiting: number;
  deadLetters: number;
  delivered: bigint;
  failed: bigint;
  lastDeliveredAt: Date | null;
  lastFailedAt: Date | null;
  lastError: string | null;
  /** Time until which the previous secret signs too. Null: no such value. */
  previousSecretExpiresAt: Date | null;
  /** False: another sealing key than those of this process sealed the secret. */
  canSign: boolean;
}

/** Events that a backlog counts at most. */
const maxBacklog = 10_000;

/**
 * Returns the states of endpoints.
 * @param knownKeys names the sealing keys of this process.
 */
export async function readHealth(
  sql: Queryable,
  endpointIds: readonly number[],
  knownKeys: readonly string[],
): Promise<Map<number, WebhookHealth>> {
  const rows = await sql<WebhookHealth[]>`
    select l.endpoint_id as "endpointId", l.position, l.failures, l.down_since as "downSince",
      case when l.open_until > now() then l.open_until end as "openUntil", b.backlog,
      (select count(*)::integer from webhook_retries r where r.endpoint_id = l.endpoint_id) as waiting,
      (select count(*)::integer from webhook_dead_letters d where d.endpoint_id = l.endpoint_id) as "deadLetters",
      l.delivered, l.failed, l.last_delivered_at as "lastDeliveredAt", l.last_failed_at as "lastFailedAt",
      l.last_error as "lastError", (
        select max(expires_at) from webhook_secrets s where s.endpoint_id = l.endpoint_id and s.expires_at > now()
      ) as "previousSecretExpiresAt", exists (
        select from webhook_secrets s where s.endpoint_id = l.endpoint_id and s.sealing_key = any(${knownKeys}::text[])
      ) as "canSign"
    from webhook_lanes l
    join webhook_endpoints e on e.id = l.endpoint_id
    cross join lateral (
      select count(*)::integer as backlog from (
        select from outbox o
        where o.network_id = e.network_id and o.subject_uuid is not null and o.position > l.position
        order by o.position limit ${maxBacklog}
      ) next
    ) b
    where l.endpoint_id = any(${[...endpointIds]}::integer[])`;
  return new Map(rows.map((row) => [row.endpointId, row]));
}

/** Events that wait for the endpoints of all networks whose circuit breakers are in one state. */
interface WebhookBacklog {
  breaker: 'closed' | 'open';
  endpoints: number;
  /** Events that failed, or wait behind one that did. */
  waiting: number;
  /** Age in seconds of the oldest of them. 0: none waits. */
  waitingSeconds: number;
  /** Age in seconds of the oldest event after the positions of the endpoints, or 0. */
  newSeconds: number;
}

/** Sums what waits for the endpoints that receive events. */
export function sumWebhookBacklogs(sql: Queryable): Promise<WebhookBacklog[]> {
  return sql<WebhookBacklog[]>`
    select case when l.down_since is null then 'closed' else 'open' end as breaker, count(*)::integer as endpoints,
      coalesce(sum(r.waiting), 0)::integer as waiting,
      greatest(0, coalesce(extract(epoch from now() - min(r.oldest)), 0))::double precision as "waitingSeconds",
      greatest(0, coalesce(extract(epoch from now() - min(o.occurred_at)), 0))::double precision as "newSeconds"
    from webhook_lanes l
    join webhook_endpoints e on e.id = l.endpoint_id
    left join lateral (
      select count(*) as waiting, min(created_at) as oldest from webhook_retries r where r.endpoint_id = l.endpoint_id
    ) r on true
    left join lateral (
      select occurred_at from outbox o
      where o.network_id = e.network_id and o.subject_uuid is not null and o.position > l.position
        -- With delivery in one order, an event that is tried again comes before all others: they wait for the receiver.
        and not (e.delivery_order = 'endpoint'
          and exists (select from webhook_retries r where r.endpoint_id = l.endpoint_id and r.lane_key = ''))
      order by o.position limit 1
    ) o on true
    where ${isDeliverable(sql)} group by 1`;
}

/** Counts the dead letters of all networks. */
export function countDeadLetters(sql: Queryable): Promise<{ reason: DeadLetterReason; count: number }[]> {
  return sql<{ reason: DeadLetterReason; count: number }[]>`
    select reason, count(*)::integer as count from webhook_dead_letters group by reason`;
}
