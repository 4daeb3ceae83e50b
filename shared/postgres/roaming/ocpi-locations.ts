import { type FeatureController, featureControllers } from '#shared/domain/fleet/evse-capabilities.ts';
import type { DisplayText } from '#shared/domain/fleet/location.ts';
import type { EvseDetails } from '#shared/postgres/fleet/evse-records.ts';
import type { Fragment, Queryable } from '#shared/postgres/kernel/client.ts';
import { isConnected } from '#shared/postgres/fleet/connections.ts';
import type { ConnectorDetails } from '#shared/postgres/fleet/connector-records.ts';
import type { LocationDetails } from '#shared/postgres/fleet/location-records.ts';

/** Point of interest on the way to a location (OCPI 2.2.1 §8.4.1); decimal degrees as text. */
interface RelatedLocation {
  latitude: string;
  longitude: string;
  name?: DisplayText;
}

/** Parties whose tokens give access to an unpublished location (§8.4.20). */
interface PublishToken {
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
  /** True: unpublished or removed, and in lists with `publish: false`. */
  isWithdrawn: boolean;
  /** Time of the withdrawal. Null: not withdrawn. */
  withdrawnAt: Date | null;
  /** Telephone number of the network's support for drivers. */
  supportPhone: string | null;
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
  /** Time since which partners see it as removed from this location, where its charger is or was. Null: they see its state. */
  withdrawnAt: Date | null;
  isConnected: boolean;
  wasConnected: boolean;
  stationStatus: string | null;
  ocppVersion: string | null;
  /** Features of the charger's model, as text. Null: none stated. */
  modelFeatures: string | null;
  /** Feature profiles that a charger of OCPP 1.6 reported. Null: not known. */
  featureProfiles: string[] | null;
  /** Feature controllers that a charger of OCPP 2.0.1 reported, false for those that are off. Null: none. */
  featureControllers: Partial<Record<FeatureController, boolean>> | null;
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
 * The condition that partners see a location `l`. A location that was withdrawn, `w`, stays (OCPI 2.2.1 §8.2.2), with
 * `publish: false` and its EVSEs REMOVED.
 */
const isVisible = (sql: Queryable, networkId: number) => sql`
  l.network_id = ${networkId} and (l.is_published and l.deleted_at is null or w.location_id is not null)`;

const withdrawal = (sql: Queryable) => sql`left join ocpi_withdrawn_locations w on w.location_id = l.id`;

const locationColumns = (sql: Queryable) => sql`
  l.id, l.ocpi_id as "ocpiId", n.country_code as "countryCode", n.party_id as "partyId",
  n.support_phone as "supportPhone", l.name, l.address, l.city,
  l.postal_code as "postalCode", l.state, l.country, l.latitude, l.longitude, l.time_zone as "timeZone",
  l.is_published and w.location_id is null as "isPublished", w.location_id is not null as "isWithdrawn",
  w.withdrawn_at as "withdrawnAt", l.parking_type as "parkingType", l.parking_places as "parkingPlaces", l.directions, l.operator, l.suboperator, l.owner,
  l.facilities, l.opening_times as "openingTimes", l.charging_when_closed as "chargingWhenClosed", l.images,
  l.energy_mix as "energyMix", l.related_locations as "relatedLocations", l.publish_allowed_to as "publishAllowedTo",
  u.last_updated as "lastUpdated"`;

const locationTables = (sql: Queryable) => sql`
  locations l join networks n on n.id = l.network_id join location_updates u on u.location_id = l.id
  ${withdrawal(sql)}`;

/**
 * One slice of the locations of a network that partners see, oldest first, and how many there are. Without locations that were
 * withdrawn before `since`. Null: with all.
 */
export async function listLocationRows(
  sql: Queryable,
  networkId: number,
  since: Date | null,
  { offset, limit, from, to }: UpdatedSlice,
): Promise<{ rows: LocationRow[]; total: number }> {
  const where = sql`
    ${isVisible(sql, networkId)} and (w.withdrawn_at is null or ${since}::timestamptz is null or w.withdrawn_at >= ${since})
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

/** Parking places of an EVSE that its location has; ids compare in any case (CiString). */
const parkingOf = (sql: Queryable) => sql`
  (select coalesce(jsonb_agg(x.place order by x.position), '[]')
    from jsonb_array_elements(e.parking) with ordinality as x(place, position)
    where exists (select from jsonb_array_elements(l.parking_places) p where lower(p ->> 'id') = lower(x.place ->> 'parkingId')))`;

/** Feature controllers of an EVSE `e` of a charger `c`: those of the EVSE and of the charger. Each is on when nothing reports it off. */
const controllersOf = (sql: Queryable) => sql`
  (select jsonb_object_agg(f.component, f.is_on) from (
    select d.component, bool_and(lower(d.value) = 'true') as is_on from device_variables d
    where d.charger_id = c.id and d.component = any(${featureControllers}::text[]) and d.variable in ('Available', 'Enabled')
      and d.attribute = 'Actual' and d.value is not null and d.evse in (0, e.number)
    group by d.component) f)`;

const evseColumns = (sql: Queryable, withdrawnAt: Fragment) => sql`
  e.uid, l.id as "locationId", l.ocpi_id as "locationOcpiId", c.id as "chargerId", e.number,
  e.evse_id as "evseId", e.stated_status as "statedStatus", e.status_schedule as "statusSchedule", e.capabilities,
  coalesce(e.physical_reference, c.physical_reference) as "physicalReference",
  coalesce(e.floor_level, c.floor_level) as "floorLevel", e.latitude, e.longitude, e.directions,
  e.parking_restrictions as "parkingRestrictions", ${parkingOf(sql)} as parking, e.images, e.removed_at is not null as "isRemoved",
  ${withdrawnAt} as "withdrawnAt", ${isConnected(sql)} as "isConnected", c.connected_at is not null as "wasConnected",
  c.station_status as "stationStatus", c.ocpp_version as "ocppVersion",
  (select m.supported_features from charger_models m where m.id = c.model_id) as "modelFeatures",
  c.feature_profiles as "featureProfiles", ${controllersOf(sql)} as "featureControllers",
  c.last_heartbeat_at as "lastHeartbeat",
  coalesce(${withdrawnAt}, greatest(e.last_updated, (
    select max(u.last_updated) from connector_updates u
    where u.charger_id = e.charger_id and u.evse_number = e.number))) as "lastUpdated"`;

/**
 * EVSEs of public chargers at their locations `l`, and those that were withdrawn from a location or with it. An EVSE that came
 * to a withdrawn location later is not there.
 */
const evses = (sql: Queryable, condition: Fragment) => sql`
  select ${evseColumns(sql, sql`null::timestamptz`)}
  from evses e join chargers c on c.id = e.charger_id and c.is_public join locations l on l.id = c.location_id
  ${withdrawal(sql)}
  where w.location_id is null and ${condition}
  union all
  select ${evseColumns(sql, sql`v.withdrawn_at`)}
  from ocpi_withdrawn_evses v join evses e on e.id = v.evse_id join chargers c on c.id = e.charger_id
  join locations l on l.id = v.location_id ${withdrawal(sql)}
  where ${condition}`;

/** Returns the EVSEs at locations, in the order of their chargers and numbers. */
export async function listEvseRows(sql: Queryable, locationIds: readonly number[]): Promise<EvseRow[]> {
  return sql<EvseRow[]>`
    ${evses(sql, sql`l.id = any(${locationIds as number[]})`)} order by "locationId", "chargerId", number`;
}

/**
 * Returns the EVSEs of a network that partners see, by their uids in any case: for each location of an EVSE one row, and the
 * one where it is, or was last, first.
 */
export function findEvseRows(sql: Queryable, networkId: number, uids: readonly string[]): Promise<EvseRow[]> {
  const condition = sql`
    e.network_id = ${networkId} and ${isVisible(sql, networkId)}
      and lower(e.uid) = any(array(select lower(uid) from unnest(${uids as string[]}::text[]) as uid))`;
  return sql<EvseRow[]>`${evses(sql, condition)} order by "withdrawnAt" desc nulls first`;
}

/** The connectors of chargers; of an EVSE that was removed those that it had then, since it has at least one (§8.3.2). */
export async function listConnectorRows(
  sql: Queryable,
  chargerIds: readonly number[],
): Promise<ConnectorRow[]> {
  return sql<ConnectorRow[]>`
    select k.uuid, k.ocpi_id as "ocpiId", k.charger_id as "chargerId", k.evse_number as "evseNumber", k.standard,
      k.format, k.power_type as "powerType", k.max_voltage as "maxVoltage", k.max_amperage as "maxAmperage",
      k.max_power_w as "maxPowerW", k.status, k.terms_and_conditions as "termsAndConditions", k.capabilities,
      exists (select 1 from sessions s where s.connector_id = k.id and s.status in ('ACTIVE', 'STOPPING')) as "hasSession",
      u.last_updated as "lastUpdated"
    from connectors k
    join evses e on e.charger_id = k.charger_id and e.number = k.evse_number
    join connector_updates u on u.connector_id = k.id
    where k.charger_id = any(${chargerIds as number[]})
      and (k.deleted_at is null or k.deleted_at >= e.removed_at)
    order by k.charger_id, k.evse_number, k.evse_connector`;
}
