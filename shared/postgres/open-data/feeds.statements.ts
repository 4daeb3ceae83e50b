import type { FeedFormat } from '#shared/domain/open-data/feed.ts';
import type { Queryable } from '#shared/postgres/kernel/client.ts';
import { networkRecords } from '#shared/postgres/kernel/records.statements.ts';

/** Fields of a feed that its editors decide. */
export interface FeedDetails {
  /** Ids of locations. Null: all published locations of the network. */
  locationIds: number[] | null;
  isEnabled: boolean;
}

/** Feed of a network, with what its files state about the network. */
export interface FeedRecord extends FeedDetails {
  id: number;
  uuid: string;
  format: FeedFormat;
  /** Uuids of `locationIds`. */
  locationUuids: string[] | null;
  networkId: number;
  networkUuid: string;
  networkName: string;
  /** ISO 3166-1 alpha-2; the country of the network's party in OCPI. */
  countryCode: string;
  partyId: string;
  /** BCP 47. */
  language: string;
  supportEmail: string | null;
  supportPhone: string | null;
  version: number;
  createdAt: Date;
  updatedAt: Date;
}

const columns = (sql: Queryable) => sql`
  f.id, f.uuid, f.format, f.location_ids as "locationIds", case when f.location_ids is not null then array(
    select l.uuid from locations l where l.id = any(f.location_ids) and l.deleted_at is null order by l.id
  ) end as "locationUuids", f.is_enabled as "isEnabled", f.network_id as "networkId",
  n.uuid as "networkUuid", n.name as "networkName", n.country_code as "countryCode", n.party_id as "partyId", n.language,
  n.support_email as "supportEmail", n.support_phone as "supportPhone", f.version, f.created_at as "createdAt",
  f.updated_at as "updatedAt"`;

const tables = (sql: Queryable) => sql`open_data_feeds f join networks n on n.id = f.network_id`;

/** Lists the feeds in scope, and finds one. */
export const { list: listFeeds, find: findFeed } = networkRecords<FeedRecord>({
  alias: 'f',
  select: (sql) => sql`select ${columns(sql)} from ${tables(sql)}`,
  where: (sql) => sql`true`,
});

/** Returns an enabled feed of any network, or null. */
export async function findEnabledFeed(sql: Queryable, uuid: string): Promise<FeedRecord | null> {
  const [row] = await sql<FeedRecord[]>`
    select ${columns(sql)} from ${tables(sql)} where f.uuid = ${uuid} and f.is_enabled and n.deleted_at is null`;
  return row ?? null;
}

/** Stores a feed and returns its uuid; the violation of `open_data_feeds_network_id_format_key` means that there is one. */
export async function insertFeed(
  sql: Queryable,
  networkId: number,
  format: FeedFormat,
  { locationIds, isEnabled }: FeedDetails,
): Promise<string> {
  const [row] = await sql<{ uuid: string }[]>`
    insert into open_data_feeds (network_id, format, location_ids, is_enabled)
    values (${networkId}, ${format}, ${locationIds}::integer[], ${isEnabled}) returning uuid`;
  if (row === undefined) throw new Error('the insert of a feed returned no row');
  return row.uuid;
}

/** Replaces the fields of a locked feed. */
export async function updateFeed(
  sql: Queryable,
  id: number,
  { locationIds, isEnabled }: FeedDetails,
): Promise<void> {
  await sql`
    update open_data_feeds set location_ids = ${locationIds}::integer[], is_enabled = ${isEnabled},
      version = version + 1, updated_at = now()
    where id = ${id}`;
}

/** Deletes a feed. */
export async function removeFeed(sql: Queryable, id: number): Promise<void> {
  await sql`delete from open_data_feeds where id = ${id}`;
}

/** Returns the ids of locations of a network by uuid. */
export function findLocationIds(
  sql: Queryable,
  networkId: number,
  uuids: readonly string[],
): Promise<{ id: number; uuid: string }[]> {
  return sql<{ id: number; uuid: string }[]>`
    select id, uuid from locations
    where network_id = ${networkId} and uuid = any(${uuids as string[]}::uuid[]) and deleted_at is null`;
}

/**
 * Returns what changes whenever the content of a feed does: the count and the newest change of locations, EVSEs and tariffs of a
 * network, and the version of the feed.
 */
export async function readFeedState(
  sql: Queryable,
  { id, networkId }: Pick<FeedRecord, 'id' | 'networkId'>,
): Promise<{ state: string; changedAt: Date }> {
  const [row] = await sql<{ state: string; changedAt: Date }[]>`
    select concat_ws('.', f.version, n.version, places.count, extract(epoch from places.changed_at),
        extract(epoch from terms.changed_at)) as state,
      greatest(places.changed_at, terms.changed_at, f.updated_at, n.updated_at) as "changedAt"
    from open_data_feeds f join networks n on n.id = f.network_id
    cross join lateral (
      select count(*) as count, max(u.last_updated) as changed_at
      from locations l join location_updates u on u.location_id = l.id where l.network_id = ${networkId}
    ) places
    cross join lateral (select max(updated_at) as changed_at from tariffs where network_id = ${networkId}) terms
    where f.id = ${id}`;
  if (row === undefined) throw new Error(`there is no feed ${id}`);
  return row;
}
