import type { NetworkScope } from '#shared/domain/tenancy.ts';
import type { ApiFamily } from './api-keys.ts';
import type { Queryable } from './client.ts';
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
  keyType: string;
  keyPrefix: string;
  last4: string;
  scopes: string[];
  networkIds: number[];
  unrestricted: boolean;
  allowedIPs: string[];
  expiresAt: Date | null;
  isRevoked: boolean;
  isExpired: boolean;
  lastUsedAt: Date | null;
  usageCount: number;
  rateLimitPerHour: number | null;
  createdAt: Date;
}

const networks = { alias: 'k', table: 'api_key_networks', holder: 'api_key_id' };

const columns = (sql: Queryable) => sql`
  k.id, k.uuid, k.api_family as "apiFamily", (select uuid from users where id = k.user_id) as "userUuid", k.name, k.description, k.key_type as "keyType", k.key_prefix as "keyPrefix", k.last4, k.scopes,
  array(select network_id from api_key_networks where api_key_id = k.id order by network_id) as "networkIds",
  k.unrestricted, k.allowed_ips as "allowedIPs", k.expires_at as "expiresAt", k.revoked_at is not null as "isRevoked",
  coalesce(k.expires_at <= now(), false) as "isExpired", k.last_used_at as "lastUsedAt", k.usage_count::float8 as "usageCount",
  k.rate_limit_per_hour as "rateLimitPerHour", k.created_at as "createdAt"`;

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

/** One of them, locked for a change in this transaction; null when there is none. */
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

/** Revokes a key and removes it softly. */
export async function removeApiKey(sql: Queryable, id: number): Promise<void> {
  await sql`
    update api_keys set revoked_at = coalesce(revoked_at, now()), deleted_at = now() where id = ${id}`;
}

function pinnedTo(sql: Queryable, networkId: number | null) {
  if (networkId === null) return sql`true`;
  return sql`exists (select 1 from api_key_networks where api_key_id = k.id and network_id = ${networkId})`;
}
