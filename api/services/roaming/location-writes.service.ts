import { DomainError } from '#shared/domain/kernel/errors.ts';
import { type Transaction, violates } from '#shared/postgres/kernel/client.ts';
import {
  insertLocation,
  type LocationDetails,
  updateLocation,
} from '#shared/postgres/fleet/location-records.ts';
import type { LocationExtras } from '#shared/postgres/roaming/ocpi-locations.ts';
import {
  type LockedLocation,
  lockLocation,
  nameLocation,
  stateLocation,
} from '#shared/postgres/roaming/ocpi-location-writes.ts';
import { alpha3Of } from '#shared/domain/fleet/countries.ts';
import { findNetworkById } from '#shared/postgres/fleet/network-details.ts';
import { auditChange } from '#api/services/access/audit.ts';
import { defined } from '#api/services/kernel/edits.service.ts';
import type { RoamingDeps } from './deps.ts';
import { locationZone } from '#shared/domain/fleet/location-zone.ts';
import { locationDefaults, requireOpeningTimes } from '#api/services/fleet/locations.service.ts';
import { requireTimeZone } from '#api/services/kernel/time-zones.ts';
import { type SentConnector, type SentEvse, writeConnectorIn, writeEvseIn } from './evse-writes.ts';
import {
  inBody,
  isStale,
  type PartnerWrite,
  requirePresent,
  requireSameId,
  type Sent,
} from './partner-writes.ts';

export type { SentConnector, SentEvse } from './evse-writes.ts';

/** Location as sent by a partner. Undefined: left out. */
export interface SentLocation extends Sent<LocationDetails & LocationExtras> {
  id?: string | undefined;
  countryCode?: string | undefined;
  partyId?: string | undefined;
  evses?: SentEvse[] | undefined;
  lastUpdated?: Date | undefined;
}

/**
 * Puts or patches a location, and the EVSEs and connectors in it. A PUT creates a missing location, which stays unpublished while its
 * address, city, country or coordinates are missing, and empties optional fields that are left out; a PATCH changes what is sent. EVSEs
 * that are not sent stay: they are set REMOVED, never deleted (OCPI 2.2.1 §8.2.2). What is older than what is known changes nothing.
 * @throws {DomainError} VALIDATION_FAILED, LOCATION_NOT_FOUND (to patch, or removed), EVSE_NOT_FOUND, CONNECTOR_NOT_FOUND,
 *   CONNECTOR_EXISTS.
 */
export async function writeLocation(
  { sql }: Pick<RoamingDeps, 'sql'>,
  write: PartnerWrite,
  id: string,
  sent: SentLocation,
): Promise<void> {
  requirePresent(write, sent.lastUpdated, 'lastUpdated');
  requireSameId('id', sent.id, id);
  requireTimeZone(sent.timeZone);
  requireOpeningTimes(sent.openingTimes);
  await unlessFirst(() => sql.begin((transaction) => writeLocationIn(transaction, write, id, sent)));
}

/** @throws {DomainError} as `writeLocation` does. */
export async function writeEvse(
  { sql }: Pick<RoamingDeps, 'sql'>,
  write: PartnerWrite,
  place: { locationId: string; uid: string },
  sent: SentEvse,
): Promise<void> {
  requirePresent(write, sent.lastUpdated, 'last_updated');
  await unlessFirst(() =>
    sql.begin(async (transaction) => {
      const location = await existing(transaction, write, place.locationId);
      await writeEvseIn(transaction, write, location, place.uid, sent);
    }),
  );
}

/** @throws {DomainError} as `writeLocation` does. */
export async function writeConnector(
  { sql }: Pick<RoamingDeps, 'sql'>,
  write: PartnerWrite,
  place: { locationId: string; uid: string; id: string },
  sent: SentConnector,
): Promise<void> {
  requirePresent(write, sent.lastUpdated, 'last_updated');
  await unlessFirst(() =>
    sql.begin(async (transaction) => {
      const location = await existing(transaction, write, place.locationId);
      await writeConnectorIn(transaction, write, location, place.uid, place.id, sent);
    }),
  );
}

async function writeLocationIn(
  transaction: Transaction,
  write: PartnerWrite,
  id: string,
  sent: SentLocation,
): Promise<void> {
  const { evses = [], lastUpdated, id: _id, countryCode, partyId, ...fields } = sent;
  await requireOwn(transaction, write, { countryCode, partyId });
  const found = await lockLocation(transaction, write.networkId, id);
  if (found === 'removed' || (found === null && write.method === 'PATCH')) throw noLocation(id);
  const location = found ?? (await makeLocation(transaction, write, id, fields, lastUpdated));
  if (found !== null && !isStale(lastUpdated, found.statedAt)) {
    const before = { ...found };
    const kept = write.method === 'PUT' ? { ...found, ...emptyFields(found) } : found;
    const after = withZone({ ...kept, ...defined(fields) }, fields.timeZone, found);
    if (after.isPublished) requireComplete(after);
    await updateLocation(transaction, found.id, after);
    await stateLocation(transaction, found.id, { ...after, statedAt: lastUpdated ?? new Date() });
    await auditTarget(transaction, write, location, 'update', before, after);
  }
  for (const evse of evses) {
    if (evse.uid === undefined) throw inBody('evses.uid', 'is required');
    await writeEvseIn(transaction, write, location, evse.uid, { lastUpdated, ...defined(evse) });
  }
}

async function makeLocation(
  transaction: Transaction,
  write: PartnerWrite,
  id: string,
  fields: Sent<LocationDetails & LocationExtras>,
  statedAt = new Date(),
): Promise<LockedLocation> {
  // The path /locations/evse/{evse_uid} is another one.
  if (id.toLowerCase() === 'evse') throw inBody('id', 'must be another one than evse');
  if (fields.isPublished === true) requireComplete(fields);
  const { countryCode } = await findNetworkById(transaction, write.networkId);
  const needed = {
    name: fields.address ?? id,
    address: '',
    city: '',
    country: alpha3Of(countryCode) ?? countryCode,
    latitude: 0,
    longitude: 0,
    isPublished: missingOf(fields).length === 0,
  } as LocationDetails;
  const details = withZone({ ...locationDefaults, ...needed, ...defined(fields) }, fields.timeZone, null);
  const made = await insertLocation(transaction, write.networkId, details);
  await nameLocation(transaction, made.id, id);
  const extras = {
    relatedLocations: fields.relatedLocations ?? [],
    publishAllowedTo: fields.publishAllowedTo ?? [],
    ocpiId: id,
    statedAt,
  };
  await stateLocation(transaction, made.id, extras);
  await auditTarget(transaction, write, made, 'create', null, { ...made, ...extras });
  return { ...made, ...extras };
}

/**
 * Returns a location with the time zone of its position or country, if the partner sent none.
 * @param before the location before; one that stays in its place keeps its time zone.
 */
function withZone<Details extends LocationDetails>(
  after: Details,
  sent: string | undefined,
  before: LocationDetails | null,
): Details {
  const { country, latitude, longitude } = after;
  const isInPlace =
    before?.country === country && before.latitude === latitude && before.longitude === longitude;
  if (sent !== undefined || isInPlace) return after;
  return { ...after, timeZone: locationZone(after) ?? after.timeZone };
}

/** @throws {DomainError} VALIDATION_FAILED for a location that cannot be published. */
function requireComplete(location: Sent<LocationDetails>): void {
  const [field] = missingOf(location);
  if (field !== undefined) throw inBody(field, 'is required of a published location');
}

/** Returns the fields that a published location needs and this one lacks. */
function missingOf({ address, city, country, latitude, longitude }: Sent<LocationDetails>): string[] {
  const isSomewhere = latitude !== undefined && (latitude !== 0 || longitude !== 0);
  const needed = { address, city, country, coordinates: isSomewhere || undefined };
  return Object.entries(needed).flatMap(([field, value]) =>
    value === undefined || value === '' ? [field] : [],
  );
}

/** Returns the fields that a PUT without them empties: all optional ones. */
function emptyFields({ timeZone, isPublished, parkingPlaces }: LockedLocation) {
  const kept = { timeZone, isPublished, parkingPlaces };
  return { ...locationDefaults, ...kept, relatedLocations: [], publishAllowedTo: [] };
}

async function existing(
  transaction: Transaction,
  { networkId }: PartnerWrite,
  id: string,
): Promise<LockedLocation> {
  const location = await lockLocation(transaction, networkId, id);
  if (location === null || location === 'removed') throw noLocation(id);
  return location;
}

/** A location belongs to whom it belongs to. */
async function requireOwn(
  transaction: Transaction,
  { networkId }: PartnerWrite,
  named: { countryCode: string | undefined; partyId: string | undefined },
): Promise<void> {
  const network = await findNetworkById(transaction, networkId);
  for (const field of ['countryCode', 'partyId'] as const) {
    const isOther = named[field] !== undefined && named[field].toUpperCase() !== network[field].toUpperCase();
    if (isOther) throw inBody(field, `must be ${network[field]}`);
  }
}

function auditTarget(
  transaction: Transaction,
  { by, networkId }: PartnerWrite,
  { uuid, name }: { uuid: string; name: string },
  action: string,
  before: object | null,
  after: object,
): Promise<void> {
  const change = { networkId, category: 'location', action, resourceId: uuid, resourceName: name };
  return auditChange(transaction, by, { ...change, before, after });
}

function noLocation(id: string): DomainError {
  return new DomainError('LOCATION_NOT_FOUND', `There is no location ${id}.`);
}

const ids = ['locations_ocpi_id_key', 'evses_uid_key', 'connectors_ocpi_id_key'];

/**
 * Repeats a write that found the record created concurrently: the second write changes the first's record.
 */
async function unlessFirst(write: () => Promise<unknown>): Promise<void> {
  try {
    await write();
  } catch (error) {
    if (!ids.some((id) => violates(error, id))) throw error;
    await write();
  }
}
