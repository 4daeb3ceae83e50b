import type { DisplayText } from '#shared/domain/fleet/location.ts';
import type { EvseDetails } from '#shared/postgres/fleet/evse-records.ts';
import type { Queryable } from '#shared/postgres/kernel/client.ts';
import { isConnected } from '#shared/postgres/fleet/connections.ts';
import type { ConnectorDetails } from '#shared/postgres/fleet/connector-records.ts';
import type { LocationDetails } from '#shared/postgres/fleet/location-records.ts';

/** Point of interest on the way to a location (OCPI 2.2.1 §8.4.1); decimal degrees as text. */
export interface RelatedLocation {
  latitude: string;
  longitude: string;
  name?: DisplayText;
}

/** Parties whose tokens give access to an unpublished location (§8.4.20). */
export interface PublishToken {
  uid?: string;
  type?: string;
  visualNumber?: string;
  issuer?: string;
  groupId?: string;
}

/** Fields of a location in OCPI that operators do not set. */
export interface LocationExtras {
  relatedLocations: RelatedLocation[];
  publishAllowedTo: PublishToken[];
}

/** A location as partners see it, without its EVSEs. */
export interface LocationRow extends LocationDetails, LocationExtras {
  id: number;
  ocpiId: string;
  countryCode: string;
  partyId: string;
  lastUpdated: Date;
}

/** An EVSE as partners see it, without its connectors. */
export interface EvseRow extends EvseDetails {
  uid: string;
  locationId: number;
  locationOcpiId: string;
  chargerId: number;
  /** OCPP's. */
  number: number;
  isRemoved: boolean;
  isConnected: boolean;
  wasConnected: boolean;
  stationStatus: string | null;
  ocppVersion: string | null;
  lastHeartbeat: Date | null;
  lastUpdated: Date;
}

/** A connector as partners see it, without its tariffs. */
export interface ConnectorRow extends ConnectorDetails {
  uuid: string;
  ocpiId: string;
  chargerId: number;
  /** OCPP's. */
  evseNumber: number;
  status: string;
  hasSession: boolean;
  lastUpdated: Date;
}

/** Requested part of a list; times by `last_updated`, from inclusive, to exclusive. */
export interface UpdatedSlice {
  offset: number;
  limit: number;
  from: Date | null;
  to: Date | null;
}

/**
 * The condition that partners see a location `l`. One that was removed stays where EVSEs were, which are REMOVED and
 * never gone (OCPI 2.2.1 §8.2.2).
 */
const isVisible = (sql: Queryable, networkId: number) => sql`
  l.network_id = ${networkId} and l.is_published
  and (l.deleted_at is null
    or exists (select 1 from chargers c join evses e on e.charger_id = c.id where c.location_id = l.id))`;

const locationColumns = (sql: Queryable) => sql`
  l.id, l.ocpi_id as "ocpiId", n.country_code as "countryCode", n.party_id as "partyId", l.name, l.address, l.city,
  l.postal_code as "postalCode", l.state, l.country, l.latitude, l.longitude, l.time_zone as "timeZone",
  l.is_published as "isPublished", l.parking_type as "parkingType", l.directions, l.operator, l.suboperator, l.owner,
  l.facilities, l.opening_times as "openingTimes", l.charging_when_closed as "chargingWhenClosed", l.images,
  l.energy_mix as "energyMix", l.related_locations as "relatedLocations", l.publish_allowed_to as "publishAllowedTo",
  u.last_updated as "lastUpdated"`;

const locationTables = (sql: Queryable) => sql`
  locations l join networks n on n.id = l.network_id join location_updates u on u.location_id = l.id`;

/** One slice of the locations of a network that partners see, oldest first, and how many there are. */
export async function listLocationRows(
  sql: Queryable,
  networkId: number,
  { offset, limit, from, to }: UpdatedSlice,
): Promise<{ rows: LocationRow[]; total: number }> {
  const where = sql`
    ${isVisible(sql, networkId)}
    ${from === null ? sql`` : sql`and u.last_updated >= ${from}`}
    ${to === null ? sql`` : sql`and u.last_updated < ${to}`}`;
  const [rows, [count]] = await Promise.all([
    sql<LocationRow[]>`
      select ${locationColumns(sql)} from ${locationTables(sql)} where ${where}
      order by l.id limit ${limit} offset ${offset}`,
    sql<{ total: number }[]>`select count(*)::integer as total from ${locationTables(sql)} where ${where}`,
  ]);
  return { rows, total: count?.total ?? 0 };
}

/** Returns the locations of a network that partners see, by their OCPI identifiers in any case (CiString). */
export function findLocationRows(
  sql: Queryable,
  networkId: number,
  ocpiIds: readonly string[],
): Promise<LocationRow[]> {
  return sql<LocationRow[]>`
    select ${locationColumns(sql)} from ${locationTables(sql)}
    where ${isVisible(sql, networkId)} and lower(l.ocpi_id) = any(array(
      select lower(id) from unnest(${ocpiIds as string[]}::text[]) as id))`;
}

const evses = (sql: Queryable) => sql`
  select e.uid, l.id as "locationId", l.ocpi_id as "locationOcpiId", c.id as "chargerId", e.number,
    e.evse_id as "evseId", e.stated_status as "statedStatus", e.status_schedule as "statusSchedule", e.capabilities,
    coalesce(e.physical_reference, c.physical_reference) as "physicalReference",
    coalesce(e.floor_level, c.floor_level) as "floorLevel", e.latitude, e.longitude, e.directions,
    e.parking_restrictions as "parkingRestrictions", e.images, e.removed_at is not null as "isRemoved",
    ${isConnected(sql)} as "isConnected", c.connected_at is not null as "wasConnected",
    c.station_status as "stationStatus", c.ocpp_version as "ocppVersion", c.last_heartbeat_at as "lastHeartbeat",
    greatest(e.last_updated, (
      select max(u.last_updated) from connector_updates u
      where u.charger_id = e.charger_id and u.evse_number = e.number)) as "lastUpdated"
  from evses e join chargers c on c.id = e.charger_id join locations l on l.id = c.location_id`;

/** The EVSEs of public chargers at locations, in the order of their chargers and numbers. */
export async function listEvseRows(sql: Queryable, locationIds: readonly number[]): Promise<EvseRow[]> {
  return sql<EvseRow[]>`
    ${evses(sql)} where c.location_id = any(${locationIds as number[]}) and c.is_public
    order by c.location_id, c.id, e.number`;
}

/** Returns the EVSEs of a network that partners see, by their uids in any case. */
export function findEvseRows(sql: Queryable, networkId: number, uids: readonly string[]): Promise<EvseRow[]> {
  return sql<EvseRow[]>`
    ${evses(sql)} where e.network_id = ${networkId} and c.is_public and ${isVisible(sql, networkId)}
      and lower(e.uid) = any(array(select lower(uid) from unnest(${uids as string[]}::text[]) as uid))`;
}

/** The connectors of chargers; of an EVSE that was removed those that it had then, since it has at least one (§8.3.2). */
export async function listConnectorRows(
  sql: Queryable,
  chargerIds: readonly number[],
): Promise<ConnectorRow[]> {
  return sql<ConnectorRow[]>`
    select k.uuid, k.ocpi_id as "ocpiId", k.charger_id as "chargerId", k.evse_number as "evseNumber", k.standard,
      k.format, k.power_type as "powerType", k.max_voltage as "maxVoltage", k.max_amperage as "maxAmperage",
      k.max_power_w as "maxPowerW", k.status, k.terms_and_conditions as "termsAndConditions",
      exists (select 1 from sessions s where s.connector_id = k.id and s.status in ('ACTIVE', 'STOPPING')) as "hasSession",
      u.last_updated as "lastUpdated"
    from connectors k
    join evses e on e.charger_id = k.charger_id and e.number = k.evse_number
    join connector_updates u on u.connector_id = k.id
    where k.charger_id = any(${chargerIds as number[]})
      and (k.deleted_at is null or k.deleted_at >= e.removed_at)
    order by k.charger_id, k.evse_number, k.evse_connector`;
}
