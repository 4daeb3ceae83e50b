import { batchLoader } from '#shared/domain/kernel/loader.ts';
import type { OperatorRole } from '#shared/domain/access/roles.ts';
import type { Queryable } from '#shared/postgres/kernel/client.ts';
import { batchOptions } from '#shared/postgres/kernel/batch-options.ts';

export type ApiFamily = 'cpms' | 'emsp';
/** Kind of a key: a private key is a server's secret; a publishable one is readable in apps and pages. */
export type KeyType = 'Private' | 'Publishable';

/** A key as authentication needs it. */
export interface ApiKeyRecord {
  id: number;
  uuid: string;
  name: string | null;
  apiFamily: ApiFamily;
  keyType: KeyType;
  unrestricted: boolean;
  /** The networks that the key is pinned to; empty for an unrestricted one. */
  networkIds: number[];
  /** A driver's key: this user's records only. */
  userId: number | null;
  scopes: string[];
  expiresAt: Date | null;
  isRevoked: boolean;
  /** Addresses and CIDR ranges that it may come from; empty: any. */
  allowedIPs: string[];
  /** Null: any number. */
  rateLimitPerHour: number | null;
  /** The highest role that the key may give an operator. */
  roleCeiling: OperatorRole;
}

/**
 * Returns the key whose secret has this hash, or null; also revoked and expired ones. Every request needs it,
 * so concurrent reads are batched.
 */
export async function findApiKey(sql: Queryable, secretHash: Buffer): Promise<ApiKeyRecord | null> {
  return (await findByHash(sql, secretHash.toString('hex'))) ?? null;
}

/** In hex: the driver has no arrays of bytes. */
const findByHash = batchLoader({
  ...batchOptions,
  async read(sql: Queryable, hashes: string[]) {
    const rows = await sql<(ApiKeyRecord & { hash: string })[]>`
      select encode(k.secret_hash, 'hex') as hash, k.id, k.uuid, k.name, k.api_family as "apiFamily", k.key_type as "keyType",
        k.unrestricted, k.user_id as "userId", k.scopes, k.expires_at as "expiresAt",
        (k.revoked_at is not null or k.deleted_at is not null) as "isRevoked", k.allowed_ips as "allowedIPs",
        k.rate_limit_per_hour as "rateLimitPerHour", k.role_ceiling as "roleCeiling",
        array(select network_id from api_key_networks where api_key_id = k.id order by network_id) as "networkIds"
      from api_keys k
      -- The length of this array is unknown to the planner, so that PostgreSQL keeps one plan instead of planning each time.
      where k.secret_hash = any(array(select decode(hash, 'hex') from unnest(${hashes}::text[]) as hash))`;
    return new Map(rows.map(({ hash, ...key }): [string, ApiKeyRecord] => [hash, key]));
  },
});

/** Fields of a new key; the secret itself is never stored. */
export interface NewApiKey {
  apiFamily: ApiFamily;
  secretHash: Buffer;
  keyPrefix: string;
  last4: string;
  name: string | null;
  unrestricted: boolean;
  networkIds: readonly number[];
  userId: number | null;
  scopes: readonly string[];
  description?: string | null;
  expiresAt?: Date | null;
  rateLimitPerHour?: number | null;
  allowedIPs?: readonly string[];
  /** By default Owner. */
  roleCeiling?: OperatorRole;
  /** Private by default. */
  keyType?: KeyType;
  /** The key or the operator that mints the key; neither: the installation itself. */
  createdByKeyId?: number | null;
  createdByOperatorId?: number | null;
}

/** Writes the events of the keys of a common table expression `k`: one in each network that a key is bound to. */
export const keyEvent = (sql: Queryable, type: 'api_key.revoked') => sql`
  insert into outbox (network_id, type, subject_id, subject_uuid, data)
  select n.network_id, ${type}, k.id, k.uuid, jsonb_build_object('family', k.api_family, 'isUnrestricted', k.unrestricted)
  from k left join api_key_networks n on n.api_key_id = k.id`;

/** Stores a new key. */
export async function insertApiKey(sql: Queryable, key: NewApiKey): Promise<{ id: number; uuid: string }> {
  const [row] = await sql<{ id: number; uuid: string }[]>`
    with key as (
      insert into api_keys (api_family, secret_hash, key_prefix, last4, name, unrestricted, user_id, scopes,
        description, expires_at, rate_limit_per_hour, allowed_ips, role_ceiling, key_type, created_by_key_id,
        created_by_operator_id)
      values (${key.apiFamily}, ${key.secretHash}, ${key.keyPrefix}, ${key.last4}, ${key.name},
        ${key.unrestricted}, ${key.userId}, ${key.scopes as string[]}, ${key.description ?? null},
        ${key.expiresAt ?? null}, ${key.rateLimitPerHour ?? null}, ${(key.allowedIPs ?? []) as string[]},
        ${key.roleCeiling ?? 'Owner'}, ${key.keyType ?? 'Private'}, ${key.createdByKeyId ?? null},
        ${key.createdByOperatorId ?? null})
      returning id, uuid
    ), pinned as (
      insert into api_key_networks (api_key_id, network_id)
      select key.id, network from key, unnest(${key.networkIds as number[]}::integer[]) as network
    ), event as (
      insert into outbox (network_id, type, subject_id, subject_uuid, data)
      select network, 'api_key.created', key.id, key.uuid,
        jsonb_build_object('family', ${key.apiFamily}::text, 'isUnrestricted', ${key.unrestricted}::boolean)
      from key left join unnest(${key.networkIds as number[]}::integer[]) as network on true
    )
    select id, uuid from key`;
  if (row === undefined) throw new Error('the insert of an API key returned no row');
  return row;
}

/** Number of uses of a key since the last write, and the time of the last one. */
export interface ApiKeyUse {
  id: number;
  count: number;
  lastUsedAt: Date;
}

/** Adds the use of many keys in one statement. */
export async function addApiKeyUse(sql: Queryable, uses: readonly ApiKeyUse[]): Promise<void> {
  await sql`
    update api_keys k set usage_count = k.usage_count + used.count,
      last_used_at = greatest(k.last_used_at, used.last_used_at)
    from unnest(${uses.map(({ id }) => id)}::integer[], ${uses.map(({ count }) => count)}::integer[],
      ${uses.map(({ lastUsedAt }) => lastUsedAt.toISOString())}::timestamptz[]) as used (id, count, last_used_at)
    where k.id = used.id`;
}

/** Returns whether any key of a family was ever created. */
export async function hasApiKeys(sql: Queryable, apiFamily: ApiFamily): Promise<boolean> {
  const [row] = await sql<{ found: boolean }[]>`
    select exists (select 1 from api_keys where api_family = ${apiFamily}) as found`;
  return row?.found ?? false;
}
