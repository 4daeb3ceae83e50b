import type {
  BusinessDetails,
  DisplayText,
  EnergyMix,
  Facility,
  LocationImage,
  OpeningTimes,
  ParkingType,
} from '#shared/domain/fleet/location.ts';
import type { ParkingPlace } from '#shared/domain/fleet/parking.ts';
import type { NetworkScope } from '#shared/domain/access/tenancy.ts';
import type { Queryable, Transaction } from '#shared/postgres/kernel/client.ts';
import { inScope } from '#shared/postgres/kernel/scope.statements.ts';
import { containing } from '#shared/postgres/kernel/search.statements.ts';
import { storable } from '#shared/postgres/kernel/storable.ts';

/** Fields of a location that an operator sets. */
export interface LocationDetails {
  name: string;
  address: string;
  city: string;
  postalCode: string | null;
  state: string | null;
  /** ISO 3166-1 alpha-3. */
  country: string;
  /** WGS 84, degrees. */
  latitude: number;
  longitude: number;
  /** IANA name. */
  timeZone: string;
  /** True when drivers and roaming partners see it. */
  isPublished: boolean;
  parkingType: ParkingType | null;
  parkingPlaces: ParkingPlace[];
  directions: DisplayText[];
  /** Null: the network. */
  operator: BusinessDetails | null;
  suboperator: BusinessDetails | null;
  owner: BusinessDetails | null;
  facilities: Facility[];
  /** Null: not set. */
  openingTimes: OpeningTimes | null;
  chargingWhenClosed: boolean;
  images: LocationImage[];
  energyMix: EnergyMix | null;
}

/** A location of a network. */
export interface LocationRecord extends LocationDetails {
  id: number;
  uuid: string;
  networkId: number;
  version: number;
  createdAt: Date;
  updatedAt: Date;
}

const columns = (sql: Queryable) => sql`
  id, uuid, network_id as "networkId", name, address, city, postal_code as "postalCode", state, country,
  latitude, longitude, time_zone as "timeZone", is_published as "isPublished", parking_type as "parkingType",
  parking_places as "parkingPlaces",
  directions, operator, suboperator, owner, facilities, opening_times as "openingTimes",
  charging_when_closed as "chargingWhenClosed", images, energy_mix as "energyMix", version,
  created_at as "createdAt", updated_at as "updatedAt"`;

/** Filter of a list of locations. `search`: a part of the name, the address or the postal code. */
export interface LocationFilter {
  search?: string | undefined;
  city?: string | undefined;
  country?: string | undefined;
  isPublished?: boolean | undefined;
}

/** The locations in scope after this id, oldest first. */
export async function listLocations(
  sql: Queryable,
  scope: NetworkScope,
  { search, city, country, isPublished }: LocationFilter,
  after: number | null,
  limit: number,
): Promise<LocationRecord[]> {
  return sql<LocationRecord[]>`
    select ${columns(sql)} from locations
    where deleted_at is null and ${inScope(sql, 'network_id', scope)} and id > ${after ?? 0}
      ${search === undefined ? sql`` : sql`and concat_ws(' ', name, address, postal_code) ilike ${containing(search)}`}
      ${city === undefined ? sql`` : sql`and lower(city) = lower(${city})`}
      ${country === undefined ? sql`` : sql`and country = ${country}`}
      ${isPublished === undefined ? sql`` : sql`and is_published = ${isPublished}`}
    order by id limit ${limit}`;
}

/** One location in scope, or null. `lock`: for a change in this transaction. */
export async function findLocation(
  sql: Queryable,
  scope: NetworkScope,
  uuid: string,
  lock = false,
): Promise<LocationRecord | null> {
  const [row] = await sql<LocationRecord[]>`
    select ${columns(sql)} from locations
    where uuid = ${uuid} and deleted_at is null and ${inScope(sql, 'network_id', scope)}
    ${lock ? sql`for update` : sql``}`;
  return row ?? null;
}

/** Stores a new location of a network; without a time zone it has the network's. */
export async function insertLocation(
  transaction: Transaction,
  networkId: number,
  { timeZone, ...details }: Omit<LocationDetails, 'timeZone'> & { timeZone: string | null },
): Promise<LocationRecord> {
  const [network] = await transaction<{ timeZone: string }[]>`
    select time_zone as "timeZone" from networks where id = ${networkId}`;
  const place = { ...details, timeZone: timeZone ?? network?.timeZone ?? 'UTC' };
  const [row] = await transaction<LocationRecord[]>`
    insert into locations ${transaction({ network_id: networkId, ...toColumns(transaction, place) } as never)}
    returning ${columns(transaction)}`;
  if (row === undefined) throw new Error('the insert of a location returned no row');
  return row;
}

/** Replaces the fields of a locked location. */
export async function updateLocation(
  transaction: Transaction,
  id: number,
  details: LocationDetails,
): Promise<LocationRecord> {
  const [row] = await transaction<LocationRecord[]>`
    update locations set ${transaction(toColumns(transaction, details) as never)}, version = version + 1,
      updated_at = now(), stated_at = now()
    where id = ${id} returning ${columns(transaction)}`;
  if (row === undefined) throw new Error('the location that was locked is gone');
  return row;
}

/** Removes a location that is locked softly; how many tariffs were assigned to it and apply no more. */
export async function removeLocation(transaction: Transaction, id: number): Promise<number> {
  const assignments = await transaction`
    update tariff_assignments set is_active = false where is_active and location_id = ${id}`;
  await transaction`
    update locations set deleted_at = now(), updated_at = now(), version = version + 1 where id = ${id}`;
  return assignments.count;
}

/** Returns whether a location has chargers. */
export async function hasChargers(sql: Queryable, id: number): Promise<boolean> {
  const [row] = await sql<{ has: boolean }[]>`
    select exists (select 1 from chargers where location_id = ${id} and deleted_at is null) as has`;
  return row?.has ?? false;
}

function toColumns(sql: Queryable, details: LocationDetails) {
  const json = (value: unknown) => (value === null ? null : sql.json(storable(value) as never));
  return {
    name: details.name,
    address: details.address,
    city: details.city,
    postal_code: details.postalCode,
    state: details.state,
    country: details.country,
    latitude: details.latitude,
    longitude: details.longitude,
    time_zone: details.timeZone,
    is_published: details.isPublished,
    parking_type: details.parkingType,
    parking_places: json(details.parkingPlaces),
    directions: json(details.directions),
    operator: json(details.operator),
    suboperator: json(details.suboperator),
    owner: json(details.owner),
    facilities: details.facilities,
    opening_times: json(details.openingTimes),
    charging_when_closed: details.chargingWhenClosed,
    images: json(details.images),
    energy_mix: json(details.energyMix),
  };
}
