import type { ConnectorPosition } from '#shared/domain/fleet/charger.ts';
import type { Fragment, Queryable } from '#shared/postgres/kernel/client.ts';
import { isOnline } from './connections.ts';
import { recordFinder } from '#shared/postgres/kernel/records.statements.ts';

/** A connector as the API reads it. */
export interface ConnectorRecord {
  id: number;
  uuid: string;
  chargerId: number;
  number: number;
  standard: string | null;
  format: string | null;
  powerType: string | null;
  maxVoltage: number | null;
  maxAmperage: number | null;
  maxPowerW: number | null;
  status: string;
  errorCode: string | null;
  vendorErrorCode: string | null;
  statusInfo: string | null;
  statusAt: Date | null;
}

const columns = (sql: Queryable) => sql`
  k.id, k.uuid, k.charger_id as "chargerId", k.number, k.standard, k.format, k.power_type as "powerType",
  k.max_voltage as "maxVoltage", k.max_amperage as "maxAmperage", k.max_power_w as "maxPowerW", k.status,
  k.error_code as "errorCode", k.vendor_error_code as "vendorErrorCode", k.status_info as "statusInfo",
  k.status_at as "statusAt"`;

/** A connector with whether it is taken, which its status need not say: a charger that restarts knows of no session. */
export interface ConnectorInUse extends ConnectorRecord {
  /** A session of some token runs at its EVSE. */
  isBusy: boolean;
}

/** Condition that a session with a token runs at an EVSE of a charger. */
export const runsAt = (sql: Queryable, chargerId: Fragment, evse: Fragment) => sql`
  exists (
    select 1 from sessions s join connectors o on o.id = s.connector_id
    where s.charger_id = ${chargerId} and o.evse_number = ${evse} and s.status in ('ACTIVE', 'STOPPING')
      and s.id_token is not null
  )`;

const isBusy = (sql: Queryable) => sql`${runsAt(sql, sql`k.charger_id`, sql`k.evse_number`)} as "isBusy"`;

/** Connector as JSON. */
export type StoredConnector = Omit<ConnectorInUse, 'statusAt'> & { statusAt: string | null };

/** Connectors of a charger as JSON (`StoredConnector`), by number. */
export const connectorsOf = (sql: Queryable, chargerId: Fragment) => sql`(
  select coalesce(json_agg(k order by k.number), '[]') from (
    select ${columns(sql)}, ${isBusy(sql)} from connectors k
    where k.charger_id = ${chargerId} and k.deleted_at is null) k)`;

/** Converts connectors from JSON. */
export function connectorsFrom(stored: readonly StoredConnector[]): ConnectorInUse[] {
  return stored.map((connector) => ({
    ...connector,
    statusAt: connector.statusAt === null ? null : new Date(connector.statusAt),
  }));
}

/** Position of a charger's connector in OCPP. */
export interface ConnectorPlace extends ConnectorPosition {
  number: number;
}

/** The places of a charger's connectors, by number. */
export async function listConnectorPlaces(sql: Queryable, chargerId: number): Promise<ConnectorPlace[]> {
  return sql<ConnectorPlace[]>`
    select number, evse_number as evse, evse_connector as connector from connectors
    where charger_id = ${chargerId} and deleted_at is null order by number`;
}

/** Size of a charger: its highest connector number, and the highest power of its connectors (null: unknown). */
interface ChargerSize {
  connectors: number;
  maxPowerW: number | null;
}

/** Returns the size of a charger by its connectors. */
export async function chargerSize(sql: Queryable, chargerId: number): Promise<ChargerSize> {
  const [size] = await sql<[ChargerSize]>`
    select coalesce(max(number), 0)::integer as connectors, max(max_power_w)::integer as "maxPowerW"
    from connectors where charger_id = ${chargerId} and deleted_at is null`;
  return size;
}

/** Connector with the fields that drivers read. */
export interface ConnectorWithCharger extends ConnectorInUse {
  chargerUuid: string;
  chargerUid: string;
  isOnline: boolean;
  /** The session that runs there, and its driver's key; null when none does. */
  activeSessionUuid: string | null;
  activeSessionUserId: number | null;
}

/** Returns the read of single connectors, as drivers see them. */
const statusFinder = (visible: (sql: Queryable) => Fragment) =>
  recordFinder<ConnectorWithCharger>({
    id: 'k.id',
    uuid: 'k.uuid',
    network: 'c.network_id',
    driver: null,
    columns: (sql) => sql`
      ${columns(sql)}, c.uuid as "chargerUuid", c.uid as "chargerUid",
      ${isOnline(sql)} as "isOnline", ${isBusy(sql)},
      s.uuid as "activeSessionUuid", s.user_id as "activeSessionUserId"`,
    tables: (sql) => sql`
      connectors k
      join chargers c on c.id = k.charger_id
      left join locations l on l.id = c.location_id
      left join lateral (
        select uuid, user_id from sessions
        where charger_id = c.id and connector_id = k.id and status in ('ACTIVE', 'STOPPING')
        order by started_at desc limit 1
      ) s on true`,
    where: (sql) => sql`k.deleted_at is null and c.deleted_at is null ${visible(sql)}`,
  });

/** Finds a connector of any charger. */
export const findConnectorStatus = statusFinder((sql) => sql``);

/** Finds a connector of a public charger at a published location. */
export const findPublicConnectorStatus = statusFinder((sql) => sql`and c.is_public and l.is_published`);

/** Fields of a new connector. `number` null: the next free one. */
export interface NewConnector {
  chargerId: number;
  number: number | null;
  standard: string | null;
  format: string | null;
  powerType: string | null;
  maxVoltage: number | null;
  maxAmperage: number | null;
  maxPowerW: number | null;
}

/** Adds a connector; the violation of `connectors_number_key` or `connectors_position_key` means that its number is taken. */
export async function insertConnector(
  sql: Queryable,
  connector: NewConnector,
): Promise<ConnectorRecord & { version: number }> {
  const [row] = await sql<(ConnectorRecord & { version: number })[]>`
    with next as (
      select coalesce(${connector.number}::integer,
        (select coalesce(max(number), 0) + 1 from connectors
          where charger_id = ${connector.chargerId} and deleted_at is null)) as number
    )
    insert into connectors as k (charger_id, number, evse_number, standard, format, power_type, max_voltage,
      max_amperage, max_power_w)
    select ${connector.chargerId}, number, number, ${connector.standard}, ${connector.format},
      ${connector.powerType}, ${connector.maxVoltage}, ${connector.maxAmperage}, ${connector.maxPowerW}
    from next
    returning ${columns(sql)}, k.version`;
  if (row === undefined) throw new Error('the insert of a connector returned no row');
  return row;
}
