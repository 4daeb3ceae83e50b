import type { NetworkScope } from '#shared/domain/access/tenancy.ts';
import type { Queryable, Transaction } from '#shared/postgres/kernel/client.ts';
import { inScope } from '#shared/postgres/kernel/scope.statements.ts';

export interface NetworkRecord {
  id: number;
  uuid: string;
  slug: string;
  countryCode: string;
  partyId: string;
  /** True when its chargers may use security profile 0. */
  allowsUnauthenticatedChargers: boolean;
}

const columns = (sql: Queryable) => sql`
  id, uuid, slug, country_code as "countryCode", party_id as "partyId",
  allow_unauthenticated_chargers as "allowsUnauthenticatedChargers"`;

/** Makes the network with this slug, unless it is there; answers with it either way. */
export async function ensureNetwork(
  sql: Queryable,
  network: { slug: string; name: string },
): Promise<NetworkRecord> {
  await sql`
    insert into networks (slug, name) values (${network.slug}, ${network.name}) on conflict do nothing`;
  const [row] = await sql<NetworkRecord[]>`
    select ${columns(sql)} from networks where slug = ${network.slug}`;
  if (row === undefined) throw new Error(`the network ${network.slug} could not be made`);
  return row;
}

/** The networks in scope, oldest first. */
export async function listNetworks(sql: Queryable, scope: NetworkScope): Promise<NetworkRecord[]> {
  return sql<NetworkRecord[]>`
    select ${columns(sql)} from networks
    where deleted_at is null and ${inScope(sql, 'id', scope)} order by id`;
}

/** Returns the networks with a limit of requests within a minute of their own. */
export async function listNetworkLimits(sql: Queryable): Promise<{ id: number; limit: number }[]> {
  return sql<{ id: number; limit: number }[]>`
    select id, rate_limit_per_minute as "limit" from networks where rate_limit_per_minute is not null`;
}

/** The internal keys of the networks that have one of these names as their slug or uuid, in ascending order. */
export async function findNetworksNamed(sql: Queryable, names: readonly string[]): Promise<number[]> {
  const rows = await sql<{ id: number }[]>`
    select id from networks
    where deleted_at is null and (slug = any(${names as string[]}) or uuid::text = any(${names as string[]}))
    order by id`;
  return rows.map(({ id }) => id);
}

/** One network in scope by its uuid, or null. */
export async function findNetwork(
  sql: Queryable,
  scope: NetworkScope,
  uuid: string,
): Promise<NetworkRecord | null> {
  const [row] = await sql<NetworkRecord[]>`
    select ${columns(sql)} from networks
    where uuid = ${uuid} and deleted_at is null and ${inScope(sql, 'id', scope)}`;
  return row ?? null;
}

/** Returns whether a network exists, and keeps it from removal until the end of the transaction. */
export async function holdNetwork(transaction: Transaction, id: number): Promise<boolean> {
  const rows = await transaction`select from networks where id = ${id} and deleted_at is null for share`;
  return rows.length > 0;
}

/**
 * The internal key of a location of a network by its uuid, which is not removed before the end of the transaction; null
 * without one.
 */
export async function findLocationId(
  sql: Queryable,
  networkId: number,
  uuid: string,
): Promise<number | null> {
  const [row] = await sql<{ id: number }[]>`
    select id from locations where uuid = ${uuid} and network_id = ${networkId} and deleted_at is null
    for key share`;
  return row?.id ?? null;
}

/**
 * The internal key of a charger model of the catalog by its uuid, which is not removed before the end of the transaction;
 * or null.
 */
export async function findModelId(sql: Queryable, uuid: string): Promise<number | null> {
  const [row] = await sql<{ id: number }[]>`
    select id from charger_models where uuid = ${uuid} and deleted_at is null for key share`;
  return row?.id ?? null;
}
