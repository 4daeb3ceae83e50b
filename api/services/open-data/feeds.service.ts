import { type Actor } from '#api/services/access/audit.ts';
import { AuditedRecords } from '#api/services/access/audited-records.ts';
import type { Caller } from '#api/services/access/callers.ts';
import { keepNetwork, networkForNew, networksOfCall } from '#api/services/access/networks.service.ts';
import { cutById, decodeIdCursor } from '#api/services/kernel/cursors.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import { wrongField } from '#api/services/kernel/validation.service.ts';
import { DomainError } from '#shared/domain/kernel/errors.ts';
import type { FeedFormat } from '#shared/domain/open-data/feed.ts';
import { type Queryable, violates } from '#shared/postgres/kernel/client.ts';
import {
  type FeedRecord,
  findFeed,
  findLocationIds,
  insertFeed,
  listFeeds,
  removeFeed,
  updateFeed,
} from '#shared/postgres/open-data/feeds.statements.ts';

export type { FeedRecord } from '#shared/postgres/open-data/feeds.statements.ts';

/** Fields of a feed in a request. */
export interface FeedChange {
  /** Null: all published locations. */
  locationIds?: string[] | null | undefined;
  isEnabled?: boolean | undefined;
}

/** Feeds and their changes. */
export const feeds = new AuditedRecords<FeedRecord>({
  category: 'open-data-feed',
  notFound: 'FEED_NOT_FOUND',
  find: findFeed,
  networkOf: ({ networkId }) => networkId,
  nameOf: ({ format }) => format,
  audited: ({ format, locationUuids, isEnabled }) => ({ format, locationIds: locationUuids, isEnabled }),
});

/** Returns a page of the feeds of the caller's networks, oldest first. */
export async function readFeeds(
  deps: ServiceDeps,
  caller: Caller,
  query: { networkUuid: string | undefined; cursor: string | undefined; limit: number },
): Promise<{ rows: FeedRecord[]; nextCursor: string | null }> {
  const after = decodeIdCursor(query.cursor);
  const scope = await networksOfCall(deps, caller, query.networkUuid);
  return cutById(await listFeeds(deps.sql, scope, after, query.limit + 1), query.limit);
}

/** @throws {DomainError} FEED_EXISTS, NETWORK_NOT_FOUND, VALIDATION_FAILED. */
export async function createFeed(
  deps: ServiceDeps,
  by: Actor,
  networkUuid: string | undefined,
  format: FeedFormat,
  { locationIds = null, isEnabled = true }: FeedChange,
): Promise<FeedRecord> {
  const network = await networkForNew(deps, by.caller, networkUuid);
  try {
    return await feeds.create(deps.sql, by, async (transaction) => {
      await keepNetwork(transaction, network);
      const details = {
        locationIds: await idsOf(transaction, network.id, locationIds),
        isEnabled,
      };
      const uuid = await insertFeed(transaction, network.id, format, details);
      return feeds.require(transaction, by.caller.networks, uuid);
    });
  } catch (error) {
    if (!violates(error, 'open_data_feeds_network_id_format_key')) throw error;
    throw new DomainError('FEED_EXISTS', `The network has a feed of the format ${format}: change that one.`);
  }
}

/** @throws {DomainError} FEED_NOT_FOUND, PRECONDITION_FAILED, VALIDATION_FAILED. */
export function changeFeed(
  { sql }: ServiceDeps,
  by: Actor,
  uuid: string,
  expected: number | null,
  { locationIds, isEnabled }: FeedChange,
): Promise<FeedRecord> {
  return feeds.change(sql, by, uuid, expected, async (transaction, before) => {
    await updateFeed(transaction, before.id, {
      locationIds:
        locationIds === undefined
          ? before.locationIds
          : await idsOf(transaction, before.networkId, locationIds),
      isEnabled: isEnabled ?? before.isEnabled,
    });
    return feeds.require(transaction, by.caller.networks, uuid);
  });
}

/** @throws {DomainError} FEED_NOT_FOUND, PRECONDITION_FAILED. */
export async function deleteFeed(
  { sql }: ServiceDeps,
  by: Actor,
  uuid: string,
  expected: number | null,
): Promise<void> {
  await feeds.remove(sql, by, uuid, expected, (transaction, { id }) => removeFeed(transaction, id));
}

/** Returns the ids of locations, which must be in the network of the feed. */
async function idsOf(
  sql: Queryable,
  networkId: number,
  uuids: readonly string[] | null,
): Promise<number[] | null> {
  if (uuids === null) return null;
  const found = await findLocationIds(sql, networkId, uuids);
  const known = new Set(found.map(({ uuid }) => uuid));
  const unknown = uuids.findIndex((uuid) => !known.has(uuid.toLowerCase()));
  if (unknown >= 0) throw wrongField(`locationIds.${unknown}`, 'is no location of the network');
  return found.map(({ id }) => id);
}
