import type { DisabledReason, WebhookFilter, WebhookOrder } from '#shared/domain/events/webhook.ts';
import type { Fragment, Queryable, Transaction } from '#shared/postgres/kernel/client.ts';
import { networkRecords } from '#shared/postgres/kernel/records.statements.ts';

/** Fields of an endpoint that its editors decide. */
export interface EndpointDetails extends WebhookFilter {
  url: string;
  description: string | null;
  order: WebhookOrder;
  isEnabled: boolean;
}

/** Endpoint that receives the events of a network. */
export interface EndpointRecord extends EndpointDetails {
  id: number;
  uuid: string;
  networkId: number;
  networkUuid: string;
  /** Null: it is enabled, and its owner may read the events. */
  disabledReason: DisabledReason | null;
  version: number;
  createdAt: Date;
  updatedAt: Date;
}

/** Key or operator that may read what an endpoint receives. */
export interface EndpointOwner {
  keyId: number | null;
  operatorId: number | null;
}

/**
 * The condition that the owner of an endpoint `e` may read the events of its network still. A key keeps its scopes for life; every
 * role of an operator reads events.
 */
const isOwnerInForce = (sql: Queryable): Fragment => sql`
  (exists (
    select from api_keys k where k.id = e.owner_key_id and k.revoked_at is null and k.deleted_at is null
      and (k.expires_at is null or k.expires_at > now()) and k.scopes && '{cpms:read,cpms:read:events}'
      and (k.unrestricted
        or exists (select from api_key_networks n where n.api_key_id = k.id and n.network_id = e.network_id)))
  or exists (
    select from operators o where o.id = e.owner_operator_id and o.deleted_at is null and not o.is_disabled
      and (o.unrestricted
        or exists (select from operator_networks n where n.operator_id = o.id and n.network_id = e.network_id))))`;

/** The condition that events are delivered to an endpoint `e`. */
export const isDeliverable = (sql: Queryable): Fragment => sql`
  (e.is_enabled and e.deleted_at is null and ${isOwnerInForce(sql)}
    and exists (select from networks n where n.id = e.network_id and n.deleted_at is null))`;

const columns = (sql: Queryable) => sql`
  e.id, e.uuid, e.network_id as "networkId", n.uuid as "networkUuid", e.url, e.description, e.types,
  e.charger_uuid as "chargerUuid", e.location_uuid as "locationUuid", e.delivery_order as order,
  e.is_enabled as "isEnabled",
  coalesce(e.disabled_reason, case when not ${isOwnerInForce(sql)} then 'owner-revoked' end) as "disabledReason",
  e.version, e.created_at as "createdAt", e.updated_at as "updatedAt"`;

/** Lists the endpoints in scope, and finds one. */
export const { list: listEndpoints, find: findEndpoint } = networkRecords<EndpointRecord>({
  alias: 'e',
  select: (sql) =>
    sql`select ${columns(sql)} from webhook_endpoints e join networks n on n.id = e.network_id`,
  where: (sql) => sql`e.deleted_at is null`,
});

/** Stores a new endpoint whose events begin after the newest one; returns its uuid and id. */
export async function insertEndpoint(
  transaction: Transaction,
  networkId: number,
  endpoint: EndpointDetails,
  owner: EndpointOwner,
): Promise<{ id: number; uuid: string }> {
  const [row] = await transaction<{ id: number; uuid: string }[]>`
    insert into webhook_endpoints (network_id, url, description, types, charger_uuid, location_uuid, delivery_order,
      is_enabled, disabled_reason, owner_key_id, owner_operator_id)
    values (${networkId}, ${endpoint.url}, ${endpoint.description}, ${[...endpoint.types]}::text[],
      ${endpoint.chargerUuid}, ${endpoint.locationUuid}, ${endpoint.order}, ${endpoint.isEnabled},
      ${endpoint.isEnabled ? null : 'operator'}, ${owner.keyId}, ${owner.operatorId})
    returning id, uuid`;
  if (row === undefined) throw new Error('the insert of a webhook returned no row');
  await transaction`
    insert into webhook_lanes (endpoint_id, position)
    select ${row.id}, coalesce(max(position), 0) from outbox`;
  return row;
}

/** Replaces what editors decide of an endpoint. `owner` null: the owner stays. */
export async function updateEndpoint(
  transaction: Transaction,
  id: number,
  endpoint: EndpointDetails,
  owner: EndpointOwner | null,
): Promise<void> {
  await transaction`
    update webhook_endpoints set url = ${endpoint.url}, description = ${endpoint.description},
      types = ${[...endpoint.types]}::text[], charger_uuid = ${endpoint.chargerUuid},
      location_uuid = ${endpoint.locationUuid}, delivery_order = ${endpoint.order}, is_enabled = ${endpoint.isEnabled},
      disabled_reason = case when ${endpoint.isEnabled} then null else coalesce(disabled_reason, 'operator') end,
      ${owner === null ? transaction`` : transaction`owner_key_id = ${owner.keyId}, owner_operator_id = ${owner.operatorId},`}
      version = version + 1, updated_at = now()
    where id = ${id}`;
}

/** Counts a change of the endpoint's secrets as one of the endpoint. */
export async function touchEndpoint(transaction: Transaction, id: number): Promise<void> {
  await transaction`update webhook_endpoints set version = version + 1, updated_at = now() where id = ${id}`;
}

/** Removes an endpoint softly, with all that waits for it. */
export async function removeEndpoint(transaction: Transaction, id: number): Promise<void> {
  await transaction`delete from webhook_secrets where endpoint_id = ${id}`;
  await transaction`delete from webhook_retries where endpoint_id = ${id}`;
  await transaction`delete from webhook_dead_letters where endpoint_id = ${id}`;
  await transaction`delete from webhook_lanes where endpoint_id = ${id}`;
  await transaction`update webhook_endpoints set is_enabled = false, disabled_reason = 'operator', deleted_at = now() where id = ${id}`;
}

/** Disables an endpoint by itself. What waits for it becomes dead letters, when it was unreachable. */
export async function disableEndpoint(
  transaction: Transaction,
  id: number,
  reason: 'gone' | 'unreachable',
): Promise<void> {
  await transaction`
    update webhook_endpoints set is_enabled = false, disabled_reason = ${reason}, version = version + 1, updated_at = now()
    where id = ${id} and is_enabled`;
  if (reason === 'gone') return;
  await transaction`
    with waiting as (delete from webhook_retries where endpoint_id = ${id} returning *)
    insert into webhook_dead_letters (endpoint_id, reason, after_position, position, event_id, type, body, tries, last_error)
    select endpoint_id, 'unreachable', position - 1, position, event_id, type, body, tries, last_error
    from waiting order by position`;
}

/** Returns true when a charger or location is one of a network. */
export async function isInNetwork(
  sql: Queryable,
  networkId: number,
  table: 'chargers' | 'locations',
  uuid: string,
): Promise<boolean> {
  const rows = await sql`
    select from ${sql(table)} where uuid = ${uuid} and network_id = ${networkId} and deleted_at is null`;
  return rows.length > 0;
}

/** Sealed secret of an endpoint. */
interface SealedSecret {
  sealed: Buffer;
  sealingKey: string;
  /** Null: the present one. */
  expiresAt: Date | null;
}

/** Returns the secrets that sign the requests to an endpoint, the present one first. */
export async function listSecrets(sql: Queryable, endpointId: number): Promise<SealedSecret[]> {
  return sql<SealedSecret[]>`
    select sealed, sealing_key as "sealingKey", expires_at as "expiresAt" from webhook_secrets
    where endpoint_id = ${endpointId} and (expires_at is null or expires_at > now()) order by id desc`;
}

/** Adds a secret, which is the present one from now on. The earlier ones expire after `overlapHours`, unless they do before. */
export async function addSecret(
  transaction: Transaction,
  endpointId: number,
  { sealed, sealingKey }: Pick<SealedSecret, 'sealed' | 'sealingKey'>,
  overlapHours: number,
): Promise<void> {
  await transaction`delete from webhook_secrets where endpoint_id = ${endpointId} and expires_at <= now()`;
  await transaction`
    update webhook_secrets set expires_at = least(expires_at, now() + make_interval(hours => ${overlapHours}))
    where endpoint_id = ${endpointId}`;
  await transaction`
    insert into webhook_secrets (endpoint_id, sealed, sealing_key) values (${endpointId}, ${sealed}, ${sealingKey})`;
}
