import { createHash } from 'node:crypto';
import { listOcpiLocations } from '#api/services/roaming/locations.service.ts';
import { countRate, requireWithin } from '#api/services/kernel/rates.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import { BusUnavailableError } from '#shared/bus/contract.ts';
import { placeOf } from '#shared/domain/access/addresses.ts';
import { DomainError } from '#shared/domain/kernel/errors.ts';
import { type FeedProblem, feedRequestsPerHour } from '#shared/domain/open-data/feed.ts';
import type { Sql } from '#shared/postgres/kernel/client.ts';
import {
  type FeedRecord,
  findEnabledFeed,
  readFeedState,
} from '#shared/postgres/open-data/feeds.statements.ts';
import { findOcpiTariffRows, type OcpiTariffRow } from '#shared/postgres/roaming/ocpi-tariffs.ts';
import type { FeedContext, FeedWriter, PublicPlace } from './format.service.ts';
import { feedWriters } from './formats/index.ts';

const pageSize = 200;
const hourMs = 3_600_000;

/** File of a feed: its content can be read once, as it is produced. */
export interface FeedFile {
  writer: FeedWriter;
  fileName: string;
  /** Changes whenever the content does. */
  etag: string;
  changedAt: Date;
  content: () => AsyncGenerator<string>;
}

/**
 * Opens the file of an enabled feed for a client without a key.
 * @param address of the client, whose requests are limited.
 * @throws {DomainError} FEED_NOT_FOUND, RATE_LIMITED.
 */
export async function openPublicFeed(deps: ServiceDeps, uuid: string, address: string): Promise<FeedFile> {
  const feed = await findEnabledFeed(deps.sql, uuid);
  if (feed === null) throw new DomainError('FEED_NOT_FOUND', `There is no open-data feed ${uuid}.`);
  await limitClient(deps, feed, address);
  return openFeed(deps, feed);
}

/** Opens the file of a feed as it would be published, also of a disabled one. */
export async function openFeed({ sql, clock }: ServiceDeps, feed: FeedRecord): Promise<FeedFile> {
  const { state, changedAt } = await readFeedState(sql, feed);
  const writer = feedWriters[feed.format];
  const context = { feed, changedAt, at: new Date(clock.now()) };
  return {
    writer,
    fileName: `${feed.format}.${writer.extension}`,
    etag: `"${createHash('sha256').update(`${feed.uuid} ${state}`).digest('base64url').slice(0, 22)}"`,
    changedAt,
    content: () => fileOf(sql, writer, context),
  };
}

/** Returns what the file of a feed lacks, in the order of the locations; at most so many problems. */
export async function feedProblems(
  { sql, clock }: ServiceDeps,
  feed: FeedRecord,
  limit: number,
): Promise<{ locations: number; evses: number; omittedEvses: number; problems: FeedProblem[] }> {
  const { changedAt } = await readFeedState(sql, feed);
  const context = { feed, changedAt, at: new Date(clock.now()) };
  const report = { locations: 0, evses: 0, omittedEvses: 0, problems: [] as FeedProblem[] };
  for await (const place of placesOf(sql, feed)) {
    const problems = feedWriters[feed.format].problems(place, context);
    const omitted = problems.filter(({ effect }) => effect === 'omitted');
    const isWhole = omitted.some(({ evseUid }) => evseUid === null);
    report.locations += 1;
    report.evses += place.evses.length;
    report.omittedEvses += isWhole ? place.evses.length : new Set(omitted.map(({ evseUid }) => evseUid)).size;
    report.problems.push(...problems.slice(0, limit - report.problems.length));
  }
  return report;
}

async function* fileOf(sql: Sql, writer: FeedWriter, context: FeedContext): AsyncGenerator<string> {
  yield writer.head(context);
  let isFirst = true;
  for await (const place of placesOf(sql, context.feed)) {
    const parts = writer.parts(place, context);
    if (parts.length === 0) continue;
    yield (isFirst ? '' : writer.separator) + parts.join(writer.separator);
    isFirst = false;
  }
  yield writer.foot(context);
}

/** Yields the published locations of a feed, without EVSEs that were removed. */
async function* placesOf(sql: Sql, { networkId, locationIds }: FeedRecord): AsyncGenerator<PublicPlace> {
  // Objects that were withdrawn earlier do not exist for this reader.
  const viewer = { networkId, firstRegisteredAt: new Date(), isNationalAccessPoint: false };
  const chosen = locationIds === null ? null : new Set(locationIds);
  const tariffs = new Map<string, OcpiTariffRow>();
  for (let offset = 0; ; offset += pageSize) {
    const slice = { offset, limit: pageSize, from: null, to: null };
    const { rows } = await listOcpiLocations({ sql }, viewer, slice);
    const places = rows.filter(({ id, isPublished }) => isPublished && chosen?.has(id) !== false);
    const present = places.map((place) => ({
      ...place,
      evses: place.evses.filter(({ status }) => status !== 'REMOVED'),
    }));
    await readTariffs(sql, networkId, present, tariffs);
    for (const place of present) if (place.evses.length > 0) yield { ...place, tariffs };
    if (rows.length < pageSize) return;
  }
}

/** Adds the tariffs in effect at these places that were not read yet. */
async function readTariffs(
  sql: Sql,
  networkId: number,
  places: readonly Pick<PublicPlace, 'evses'>[],
  tariffs: Map<string, OcpiTariffRow>,
): Promise<void> {
  const ids = new Set(
    places.flatMap(({ evses }) =>
      evses.flatMap(({ connectors }) => connectors.flatMap(({ tariffIds }) => tariffIds)),
    ),
  );
  const unknown = [...ids].filter((id) => !tariffs.has(id));
  if (unknown.length === 0) return;
  for (const tariff of await findOcpiTariffRows(sql, networkId, unknown)) tariffs.set(tariff.uuid, tariff);
}

/** @throws {DomainError} RATE_LIMITED. While the bus is unreachable, nothing is counted. */
async function limitClient(deps: ServiceDeps, { id }: FeedRecord, address: string): Promise<void> {
  const limit = { limit: feedRequestsPerHour, windowMs: hourMs };
  const rate = await countRate(deps, `feed:${id}:${placeOf(address)}`, limit).catch((error: unknown) => {
    if (error instanceof BusUnavailableError) return null;
    throw error;
  });
  if (rate !== null) requireWithin(rate, 'requests for this feed within an hour');
}
