import type {
  Capability,
  EvseState,
  EvseStatus,
  ParkingRestriction,
} from '#shared/domain/fleet/ocpi-evse.ts';
import type { EvseParking } from '#shared/domain/fleet/parking.ts';
import type { DisplayText, LocationImage } from '#shared/domain/fleet/location.ts';
import type { Queryable } from '#shared/postgres/kernel/client.ts';
import { isConnected } from './connections.ts';

/** §8.4.23. */
interface StatusPeriod {
  periodBegin: string;
  periodEnd?: string;
  status: EvseStatus;
}

/** Fields of an EVSE that its charger does not report. */
export interface EvseDetails {
  evseId: string | null;
  statedStatus: EvseStatus | null;
  statusSchedule: StatusPeriod[];
  /** Null: not set. */
  capabilities: Capability[] | null;
  /** Null: the charger's. */
  physicalReference: string | null;
  floorLevel: string | null;
  latitude: number | null;
  longitude: number | null;
  directions: DisplayText[];
  parkingRestrictions: ParkingRestriction[];
  parking: EvseParking[];
  images: LocationImage[];
}

/** An EVSE of a charger, as its operator reads it: what was stated of it, and what its status follows from. */
export interface EvseRecord extends EvseDetails, EvseState {
  id: number;
  /** Identifier of the EVSE for roaming partners; never changed. */
  uid: string;
  /** OCPP's. */
  number: number;
  version: number;
}

/** Columns of an EVSE `e` that an operator or a partner set. */
export const statedColumns = (sql: Queryable) => sql`
  e.evse_id as "evseId", e.stated_status as "statedStatus", e.status_schedule as "statusSchedule", e.capabilities,
  e.physical_reference as "physicalReference", e.floor_level as "floorLevel", e.latitude, e.longitude, e.directions,
  e.parking_restrictions as "parkingRestrictions", e.parking, e.images`;

const columns = (sql: Queryable) => sql`
  e.id, e.uid, e.number, e.version, ${statedColumns(sql)}, e.removed_at is not null as "isRemoved",
    ${isConnected(sql)} as "isConnected", c.connected_at is not null as "wasConnected",
    c.station_status as "stationStatus",
    array(
      select k.status from connectors k
      where k.charger_id = e.charger_id and k.evse_number = e.number and k.deleted_at is null
      order by k.evse_connector
    ) as "connectorStatuses",
    exists (
      select 1 from connectors k join sessions s on s.connector_id = k.id and s.status in ('ACTIVE', 'STOPPING')
      where k.charger_id = e.charger_id and k.evse_number = e.number and k.deleted_at is null
    ) as "hasSession"`;

const tables = (sql: Queryable) => sql`evses e join chargers c on c.id = e.charger_id`;

const records = (sql: Queryable) => sql`select ${columns(sql)} from ${tables(sql)}`;

/** The EVSEs of a charger, in the order of their numbers; without those whose connectors are all gone. */
export async function listEvses(sql: Queryable, chargerId: number): Promise<EvseRecord[]> {
  return sql<EvseRecord[]>`
    ${records(sql)} where e.charger_id = ${chargerId} and e.removed_at is null order by e.number`;
}

/** One of them; null: the charger has none with this number. `lock`: for a change in this transaction. */
export async function findEvse(
  sql: Queryable,
  chargerId: number,
  number: number,
  lock = false,
): Promise<EvseRecord | null> {
  const [row] = await sql<EvseRecord[]>`
    ${records(sql)} where e.charger_id = ${chargerId} and e.number = ${number} and e.removed_at is null
    ${lock ? sql`for no key update of e` : sql``}`;
  return row ?? null;
}
