import { DomainError } from '#shared/domain/kernel/errors.ts';
import { type OpeningTimes, openingTimesFaults } from '#shared/domain/fleet/location.ts';
import { type ParkingPlace, repeatedPlace } from '#shared/domain/fleet/parking.ts';
import {
  findLocation,
  hasChargers,
  insertLocation,
  type LocationDetails,
  type LocationFilter,
  type LocationRecord,
  listLocations,
  locationReads,
  removeLocation,
  updateLocation,
} from '#shared/postgres/fleet/location-records.ts';
import { type Actor, type AuditedChange, auditChange } from '#api/services/access/audit.ts';
import type { Caller } from '#api/services/access/callers.ts';
import { cutById, decodeIdCursor } from '#api/services/kernel/cursors.ts';
import { defined, requireVersion } from '#api/services/kernel/edits.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import { type ItemReads, itemReads, type Versioned } from '#api/services/kernel/item-reads.ts';
import { networkForNew, networksOfCall } from '#api/services/access/networks.ts';
import { wrongField } from '#api/services/kernel/validation.ts';
import { requireTimeZone } from '#api/services/kernel/time-zones.ts';

export type { LocationRecord } from '#shared/postgres/fleet/location-records.ts';

/** Required fields of a new location. The rest has defaults; the default time zone is that of its network. */
export type NewLocation = Partial<LocationDetails> &
  Pick<LocationDetails, 'name' | 'address' | 'city' | 'country' | 'latitude' | 'longitude'>;

/**
 * One page of the locations of the caller's networks, or of the one that the call names, oldest first.
 * @throws {DomainError} NETWORK_NOT_FOUND.
 */
export async function listOwnLocations(
  deps: ServiceDeps,
  caller: Caller,
  { networkUuid, ...filter }: LocationFilter & { networkUuid: string | undefined },
  { cursor, limit }: { cursor: string | undefined; limit: number },
): Promise<{ rows: LocationRecord[]; nextCursor: string | null }> {
  const networks = await networksOfCall(deps, caller, networkUuid);
  const after = decodeIdCursor(cursor);
  return cutById(await listLocations(deps.sql, networks, filter, after, limit + 1), limit);
}

/** Returns the reads of a location: LOCATION_NOT_FOUND where the caller sees none. */
export function locationItem(
  { sql }: ServiceDeps,
  scope: Caller,
  uuid: string,
): ItemReads<Versioned<LocationRecord>> {
  return itemReads({ sql, scope, reads: locationReads, key: uuid, notFound: () => noLocation(uuid) });
}

/** @throws {DomainError} NETWORK_NOT_FOUND, VALIDATION_FAILED. */
export async function createLocation(
  deps: ServiceDeps,
  by: Actor,
  networkUuid: string | undefined,
  location: NewLocation,
): Promise<LocationRecord> {
  const network = await networkForNew(deps, by.caller, networkUuid);
  requireTimeZone(location.timeZone);
  requireOpeningTimes(location.openingTimes);
  requireUniquePlaces(location.parkingPlaces);
  return deps.sql.begin(async (transaction) => {
    const made = await insertLocation(transaction, network.id, { ...locationDefaults, ...defined(location) });
    await auditChange(transaction, by, { ...audited(made, 'create'), before: null, after: made });
    return made;
  });
}

/**
 * Changes fields of a location. Undefined: unchanged; null: cleared.
 * @throws {DomainError} LOCATION_NOT_FOUND, PRECONDITION_FAILED, VALIDATION_FAILED.
 */
export async function changeLocation(
  { sql }: ServiceDeps,
  by: Actor,
  uuid: string,
  expected: number | null,
  change: Partial<LocationDetails>,
): Promise<LocationRecord> {
  requireTimeZone(change.timeZone);
  requireOpeningTimes(change.openingTimes);
  requireUniquePlaces(change.parkingPlaces);
  return sql.begin(async (transaction) => {
    const before = found(await findLocation(transaction, by.caller.networks, uuid, true), uuid);
    requireVersion(before, expected);
    const after = await updateLocation(transaction, before.id, { ...before, ...defined(change) });
    await auditChange(transaction, by, { ...audited(before, 'update'), before, after });
    return after;
  });
}

/**
 * Removes a location without chargers; how many tariffs were assigned to it and apply no more.
 * @throws {DomainError} LOCATION_NOT_FOUND, LOCATION_IN_USE, PRECONDITION_FAILED.
 */
export async function deleteLocation(
  { sql }: ServiceDeps,
  by: Actor,
  uuid: string,
  expected: number | null,
): Promise<number> {
  return sql.begin(async (transaction) => {
    const before = found(await findLocation(transaction, by.caller.networks, uuid, true), uuid);
    requireVersion(before, expected);
    if (await hasChargers(transaction, before.id)) {
      throw new DomainError(
        'LOCATION_IN_USE',
        'There are chargers at this location: move or remove them first.',
      );
    }
    const deactivated = await removeLocation(transaction, before.id);
    await auditChange(transaction, by, { ...audited(before, 'delete'), before, after: null });
    return deactivated;
  });
}

/** Default values of a location's optional fields. */
export const locationDefaults = {
  postalCode: null,
  state: null,
  timeZone: null,
  isPublished: true,
  parkingType: null,
  parkingPlaces: [],
  directions: [],
  operator: null,
  suboperator: null,
  owner: null,
  facilities: [],
  openingTimes: null,
  chargingWhenClosed: true,
  images: [],
  energyMix: null,
};

/** @throws {DomainError} VALIDATION_FAILED. */
export function requireOpeningTimes(times: OpeningTimes | null | undefined): void {
  const faults = times === undefined || times === null ? [] : openingTimesFaults(times);
  if (faults.length === 0) return;
  const errors = faults.map(({ field, message }) => ({ field: `openingTimes.${field}`, message }));
  const said = errors.map(({ field, message }) => `${field} ${message}`).join('; ');
  throw new DomainError('VALIDATION_FAILED', `Invalid body: ${said}.`, { errors });
}

/** @throws {DomainError} VALIDATION_FAILED: two parking places have one id. */
function requireUniquePlaces(places: readonly ParkingPlace[] = []): void {
  const index = repeatedPlace(places);
  if (index >= 0) throw wrongField(`parkingPlaces.${index}.id`, 'is the id of another parking place');
}

function found(location: LocationRecord | null, uuid: string): LocationRecord {
  if (location === null) throw noLocation(uuid);
  return location;
}

function noLocation(uuid: string): DomainError {
  return new DomainError('LOCATION_NOT_FOUND', `There is no location ${uuid}.`);
}

function audited(
  { networkId, uuid, name }: LocationRecord,
  action: string,
): Omit<AuditedChange, 'before' | 'after'> {
  return { networkId, category: 'location', action, resourceId: uuid, resourceName: name };
}
