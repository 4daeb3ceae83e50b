import { keyEvent, type ApiFamily, type KeyType } from './api-keys.statements.ts';
import type { OperatorRole } from '#shared/domain/access/roles.ts';
import type { NetworkScope } from '#shared/domain/access/tenancy.ts';
import type { Queryable, Transaction } from '#shared/postgres/kernel/client.ts';
import { reachesWithin } from './scope-sets.ts';

/** A key as operators see it: without its secret. */
export interface ListedApiKey {
  id: number;
  uuid: string;
  apiFamily: ApiFamily;
  /** A driver's key of the public API: whose. */
  userUuid: string | null;
  name: string | null;
  description: string | null;
  keyType: KeyType;
  keyPrefix: string;
  last4: string;
  scopes: string[];
  networkIds: number[];
  networkUuids: string[];
  unrestricted: boolean;
  allowedIPs: string[];
  expiresAt: Date | null;
  isRevoked: boolean;
  isExpired: boolean;
  lastUsedAt: Date | null;
  usageCount: number;
  rateLimitPerHour: number | null;
  /** The highest role that the key may give an operator. */
  roleCeiling: OperatorRole;
  /** The key or the operator that minted it; both null: the installation itself. */
  createdByKeyUuid: string | null;
  createdByOperatorUuid: string | null;
  /** Name of either. */
  createdByName: string | null;
  createdAt: Date;
}

const networks = { alias: 'k', table: 'api_key_networks', holder: 'api_key_id' };

const columns = (sql: Queryable) => sql`
  k.id, k.uuid, k.api_family as "apiFamily", (select uuid from users where id = k.user_id) as "userUuid", k.name, k.description, k.key_type as "keyType", k.key_prefix as "keyPrefix", k.last4, k.scopes,
  array(select network_id from api_key_networks where api_key_id = k.id order by network_id) as "networkIds",
  array(
    select n.uuid from api_key_networks p join networks n on n.id = p.network_id where p.api_key_id = k.id order by n.id
  ) as "networkUuids",
  k.unrestricted, k.allowed_ips as "allowedIPs", k.expires_at as "expiresAt", k.revoked_at is not null as "isRevoked",
  coalesce(k.expires_at <= now(), false) as "isExpired", k.last_used_at as "lastUsedAt", k.usage_count::float8 as "usageCount",
  k.rate_limit_per_hour as "rateLimitPerHour", k.role_ceiling as "roleCeiling",
  (select uuid from api_keys where id = k.created_by_key_id) as "createdByKeyUuid",
  (select uuid from operators where id = k.created_by_operator_id) as "createdByOperatorUuid",
  coalesce(
    (select name from operators where id = k.created_by_operator_id),
    (select name from api_keys where id = k.created_by_key_id)
  ) as "createdByName",
  k.created_at as "createdAt"`;

/** The keys of a family that reach nothing beyond `scope`, the newest first; with `networkId` those pinned to it. */
export async function listApiKeys(
  sql: Queryable,
  scope: NetworkScope,
  family: ApiFamily,
  networkId: number | null,
  limit: number,
): Promise<ListedApiKey[]> {
  return sql<ListedApiKey[]>`
    select ${columns(sql)} from api_keys k
    where k.api_family = ${family} and k.deleted_at is null and ${reachesWithin(sql, networks, scope)}
      and ${pinnedTo(sql, networkId)}
    order by k.id desc limit ${limit}`;
}

/** One of them, locked for a change in this transaction, or null. */
export async function lockApiKey(
  sql: Queryable,
  scope: NetworkScope,
  family: ApiFamily,
  networkId: number | null,
  uuid: string,
): Promise<ListedApiKey | null> {
  const [row] = await sql<ListedApiKey[]>`
    select ${columns(sql)} from api_keys k
    where k.uuid = ${uuid} and k.api_family = ${family} and k.deleted_at is null
      and ${reachesWithin(sql, networks, scope)} and ${pinnedTo(sql, networkId)}
    for no key update`;
  return row ?? null;
}

/** The keys of one operator that are in force, locked for a change in this transaction. */
export async function lockKeysOfOperator(sql: Transaction, operatorId: number): Promise<ListedApiKey[]> {
  return sql<ListedApiKey[]>`
    select ${columns(sql)} from api_keys k
    where k.created_by_operator_id = ${operatorId} and k.deleted_at is null order by k.id for no key update`;
}

/** The keys in force that these minted, and those that these minted in turn, locked for a change in this transaction. */
export async function lockMintedKeys(sql: Transaction, ids: readonly number[]): Promise<ListedApiKey[]> {
  return sql<ListedApiKey[]>`
    with recursive minted as (
      select id from api_keys where created_by_key_id = any(${ids as number[]}::integer[])
      union select k.id from api_keys k join minted m on k.created_by_key_id = m.id
    )
    select ${columns(sql)} from api_keys k
    where k.id in (select id from minted) and k.deleted_at is null order by k.id for no key update`;
}

/** Returns whether an operator minted a key, itself or with a key that it minted. */
export async function isMintedBy(sql: Queryable, keyId: number, operatorId: number): Promise<boolean> {
  const [row] = await sql<[{ isMinted: boolean }]>`
    with recursive minters as (
      select created_by_key_id, created_by_operator_id from api_keys where id = ${keyId}
      union select k.created_by_key_id, k.created_by_operator_id
      from api_keys k join minters m on k.id = m.created_by_key_id
    )
    select exists (select from minters where created_by_operator_id = ${operatorId}) as "isMinted"`;
  return row.isMinted;
}

/** Revokes keys and removes them softly. */
export async function removeApiKeys(sql: Queryable, ids: readonly number[]): Promise<void> {
  await sql`
    with k as (
      update api_keys set revoked_at = coalesce(revoked_at, now()), deleted_at = now()
      where id = any(${ids as number[]}::integer[]) returning *
    )
    ${keyEvent(sql, 'api_key.revoked')}`;
}

/** Returns true when a key is in force. */
export async function isKeyInForce(sql: Queryable, id: number): Promise<boolean> {
  const rows = await sql`
    select from api_keys where id = ${id} and revoked_at is null and deleted_at is null
      and (expires_at is null or expires_at > now())`;
  return rows.length > 0;
}

/**
 * Keeps the order between minting keys and ending the authority of those who mint, until the end of the transaction: a key that is
 * minted while its creator is revoked would be missed otherwise. Minting is shared, ending is exclusive.
 */
export async function holdKeyTree(sql: Transaction, mode: 'mint' | 'revoke'): Promise<void> {
  if (mode === 'mint') await sql`select pg_advisory_xact_lock_shared(${keyTreeLock})`;
  else await sql`select pg_advisory_xact_lock(${keyTreeLock})`;
}

/** An arbitrary number of the product's own range. */
const keyTreeLock = 7_140_900_410;

function pinnedTo(sql: Queryable, networkId: number | null) {
  if (networkId === null) return sql`true`;
  return sql`exists (select 1 from api_key_networks where api_key_id = k.id and network_id = ${networkId})`;
}
