import type { Queryable } from '#shared/postgres/kernel/client.ts';

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
  /** Time until which the previous secret signs too. Null: there is none. */
  previousSecretExpiresAt: Date | null;
  /** False: another sealing key than those of this process sealed the secret. */
  canSign: boolean;
}

/** Events that a backlog counts at most. */
export const maxBacklog = 10_000;

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
        limit ${maxBacklog}
      ) next
    ) b
    where l.endpoint_id = any(${[...endpointIds]}::integer[])`;
  return new Map(rows.map((row) => [row.endpointId, row]));
}
