import type { Fragment, Queryable, Transaction } from '#shared/postgres/kernel/client.ts';

/**
 * States of a meter's key. CLAIMED: it came with a signed value, and nothing is verified with it. REGISTERED: an operator entered
 * it. REMOVED: it verifies nothing more; values that it signed stay verified.
 */
type MeterKeyStatus = 'CLAIMED' | 'REGISTERED' | 'REMOVED';

/** Public key of a meter of a charger. */
export interface MeterKeyRecord {
  id: bigint;
  uuid: string;
  /** Null: the key of every connector. */
  connectorUuid: string | null;
  /** SubjectPublicKeyInfo in DER, in upper-case hex. */
  publicKey: string;
  curve: string;
  status: MeterKeyStatus;
  createdAt: Date;
  registeredAt: Date | null;
}

/** Key that verifies values. */
export type RegisteredKey = Pick<MeterKeyRecord, 'id' | 'publicKey' | 'curve'>;

/** Maximum number of keys of a charger in each state, removed ones included. */
export const maxMeterKeys = 50;

const columns = (sql: Queryable) => sql`
  m.id, m.uuid, (select k.uuid from connectors k where k.id = m.connector_id) as "connectorUuid",
  m.public_key as "publicKey", m.curve, m.status, m.created_at as "createdAt", m.registered_at as "registeredAt"`;

/** Lists the keys of a charger that are not removed, oldest first. */
export async function listMeterKeys(sql: Queryable, chargerId: number): Promise<MeterKeyRecord[]> {
  return sql<MeterKeyRecord[]>`
    select ${columns(sql)} from meter_keys m
    where m.charger_id = ${chargerId} and m.status <> 'REMOVED' order by m.id`;
}

/** Returns the registered keys for a connector. */
export async function registeredKeys(
  sql: Queryable,
  chargerId: number,
  connectorId: number,
): Promise<RegisteredKey[]> {
  return sql<RegisteredKey[]>`
    select id, public_key as "publicKey", curve from meter_keys
    where charger_id = ${chargerId} and status = 'REGISTERED' and (connector_id is null or connector_id = ${connectorId})
    order by id`;
}

/**
 * Waits until no transaction changes the keys of a charger, and keeps them until the end of this one. A change then finds the values
 * that were checked without it.
 */
export async function awaitKeyChanges(transaction: Transaction, chargerId: number): Promise<void> {
  await transaction`select from chargers where id = ${chargerId} for key share`;
}

/** Expression: a key is registered for a connector. */
export const keyIsRegistered = (sql: Queryable, chargerId: Fragment, connectorId: Fragment) => sql`
  exists (select from meter_keys m where m.charger_id = ${chargerId} and m.status = 'REGISTERED'
    and (m.connector_id is null or m.connector_id = ${connectorId}))`;

/** Stores a key that came with a value, unless the charger has it or too many keys already. */
export async function claimMeterKey(
  sql: Queryable,
  chargerId: number,
  connectorId: number,
  { publicKey, curve }: Pick<MeterKeyRecord, 'publicKey' | 'curve'>,
): Promise<void> {
  await sql`
    insert into meter_keys (charger_id, connector_id, public_key, curve, status)
    select ${chargerId}, ${connectorId}, ${publicKey}, ${curve}, 'CLAIMED'
    where (select count(*) from meter_keys where charger_id = ${chargerId} and status = 'CLAIMED') < ${maxMeterKeys}
    on conflict do nothing`;
}

/** Common table expression after `changed`: the charger's sessions are checked again, from the newest on. */
const withRecheck = (sql: Queryable) => sql`
  recheck as (
    insert into signature_rechecks (charger_id) select charger_id from changed
    on conflict (charger_id) do update set before_at = default, before_id = default, requested_at = default, claimed_until = null
  )`;

/**
 * Registers a key of a charger, also one that was claimed or removed, and requests the check of its sessions. Returns null when it
 * is registered already. The caller limits the number of keys.
 */
export async function registerMeterKey(
  sql: Queryable,
  chargerId: number,
  connectorId: number | null,
  { publicKey, curve }: Pick<MeterKeyRecord, 'publicKey' | 'curve'>,
): Promise<MeterKeyRecord | null> {
  const [row] = await sql<MeterKeyRecord[]>`
    with changed as (
    insert into meter_keys as m (charger_id, connector_id, public_key, curve, status, registered_at)
    values (${chargerId}, ${connectorId}, ${publicKey}, ${curve}, 'REGISTERED', now())
    on conflict (charger_id, public_key) do update
      set connector_id = excluded.connector_id, status = 'REGISTERED', registered_at = now(), removed_at = null
      where m.status <> 'REGISTERED'
    returning m.*
    ), ${withRecheck(sql)}
    select ${columns(sql)} from changed m`;
  return row ?? null;
}

/** Removes a key of a charger, requests the check of its sessions, and returns the key. Null: the charger has no such key. */
export async function removeMeterKey(
  sql: Queryable,
  chargerId: number,
  uuid: string,
): Promise<MeterKeyRecord | null> {
  const [row] = await sql<MeterKeyRecord[]>`
    with changed as (
    update meter_keys m set status = 'REMOVED', removed_at = now(), registered_at = coalesce(m.registered_at, now())
    where m.charger_id = ${chargerId} and m.uuid = ${uuid} and m.status <> 'REMOVED'
    returning m.*
    ), ${withRecheck(sql)}
    select ${columns(sql)} from changed m`;
  return row ?? null;
}
