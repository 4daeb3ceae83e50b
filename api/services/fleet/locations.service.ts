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
  removeLocation,
  updateLocation,
} from '#shared/postgres/fleet/location-records.ts';
import { type Actor } from '#api/services/access/audit.ts';
import type { Caller } from '#api/services/access/callers.ts';
import { cutById, decodeIdCursor } from '#api/services/kernel/cursors.ts';
import { defined } from '#api/services/kernel/edits.service.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import { networkForNew, networksOfCall } from '#api/services/access/networks.service.ts';
import { wrongField } from '#api/services/kernel/validation.service.ts';
import { locationZone } from '#shared/domain/fleet/location-zone.ts';
import { requireTimeZone } from '#api/services/kernel/time-zones.ts';
import { AuditedRecords } from '#api/services/access/audited-records.ts';

export type { LocationRecord } from '#shared/postgres/fleet/location-records.ts';

const locations = new AuditedRecords<LocationRecord>({
  category: 'location',
  notFound: 'LOCATION_NOT_FOUND',
  find: findLocation,
  networkOf: ({ networkId }) => networkId,
  nameOf: ({ name }) => name,
});

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

/** @throws {DomainError} LOCATION_NOT_FOUND. */
export async function readLocation(
  { sql }: ServiceDeps,
  { networks }: Caller,
  uuid: string,
): Promise<LocationRecord> {
  return locations.require(sql, networks, uuid);
}

/**
 * Creates a location. Without a time zone, its position or its country determines the zone.
 * @throws {DomainError} NETWORK_NOT_FOUND, VALIDATION_FAILED.
 */
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
  return locations.create(deps.sql, by, (transaction) =>
    insertLocation(transaction, network.id, {
      ...locationDefaults,
      timeZone: locationZone(location),
      ...defined(location),
    }),
  );
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
  return locations.change(sql, by, uuid, expected, (transaction, before) =>
    updateLocation(transaction, before.id, { ...before, ...defined(change) }),
  );
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
  return locations.remove(sql, by, uuid, expected, async (transaction, { id }) => {
    if (await hasChargers(transaction, id)) {
      throw new DomainError(
        'LOCATION_IN_USE',
        'There are chargers at this location: move or remove them first.',
      );
    }
    return removeLocation(transaction, id);
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
