import type { ConnectorCapability } from '#shared/domain/fleet/ocpi-evse.ts';
import type { NetworkScope } from '#shared/domain/access/tenancy.ts';
import type { Queryable, Transaction } from '#shared/postgres/kernel/client.ts';
import { lateJoinPage } from '#shared/postgres/kernel/late-join-page.ts';
import type { ConnectorRecord } from './connectors.statements.ts';
import { listRecords, type RecordSource } from '#shared/postgres/kernel/records.statements.ts';
import { inScope } from '#shared/postgres/kernel/scope.statements.ts';

/**
 * Fields of a connector that an operator can change. The number is fixed, because OCPP addresses the
 * connector by it.
 */
export interface ConnectorDetails {
  standard: string | null;
  format: string | null;
  powerType: string | null;
  maxVoltage: number | null;
  maxAmperage: number | null;
  maxPowerW: number | null;
  /** A URL. */
  termsAndConditions: string | null;
  capabilities: ConnectorCapability[];
}

/** A connector as an operator reads it. */
export interface ConnectorDetailRecord extends ConnectorRecord, ConnectorDetails {
  chargerUuid: string;
  chargerUid: string;
  networkId: number;
  /** OCPP's. */
  evseNumber: number;
  version: number;
  createdAt: Date;
  updatedAt: Date;
}

const columns = (sql: Queryable) => sql`
  k.id, k.uuid, k.charger_id as "chargerId", k.number, k.standard, k.format, k.power_type as "powerType",
  k.max_voltage as "maxVoltage", k.max_amperage as "maxAmperage", k.max_power_w as "maxPowerW",
  k.terms_and_conditions as "termsAndConditions", k.capabilities, k.status,
  k.error_code as "errorCode", k.vendor_error_code as "vendorErrorCode", k.status_info as "statusInfo",
  k.status_at as "statusAt", k.version, k.created_at as "createdAt", k.updated_at as "updatedAt",
  c.uuid as "chargerUuid", c.uid as "chargerUid", c.network_id as "networkId",
  k.evse_number as "evseNumber"`;

const live = (sql: Queryable, scope: NetworkScope) => sql`
  k.deleted_at is null and c.deleted_at is null and ${inScope(sql, 'c.network_id', scope)}`;

/** Filter of a list of connectors. */
export interface ConnectorFilter {
  chargerUuid?: string | undefined;
  locationUuid?: string | undefined;
  status?: string | undefined;
  standard?: string | undefined;
}

/** Returns the connectors in scope after this id, oldest first. */
export async function listConnectors(
  sql: Queryable,
  scope: NetworkScope,
  { chargerUuid, locationUuid, status, standard }: ConnectorFilter,
  after: number | null,
  limit: number,
): Promise<ConnectorDetailRecord[]> {
  const rows = sql`
    select k.id from connectors k join chargers c on c.id = k.charger_id left join locations l on l.id = c.location_id
    where ${live(sql, scope)} and k.id > ${after ?? 0}
      ${chargerUuid === undefined ? sql`` : sql`and c.uuid = ${chargerUuid}`}
      ${locationUuid === undefined ? sql`` : sql`and l.uuid = ${locationUuid}`}
      ${status === undefined ? sql`` : sql`and lower(k.status) = lower(${status})`}
      ${standard === undefined ? sql`` : sql`and k.standard = ${standard}`}`;
  const found = lateJoinPage(sql, 'k', rows, sql`order by k.id`, { limit });
  return listRecords(sql, source, sql`select id from ${found} k order by id`);
}

/** One connector in scope, or null. `lock`: for a change in this transaction. */
export async function findConnectorDetails(
  sql: Queryable,
  scope: NetworkScope,
  uuid: string,
  lock = false,
): Promise<ConnectorDetailRecord | null> {
  const [row] = await sql<ConnectorDetailRecord[]>`
    select ${columns(sql)} from connectors k join chargers c on c.id = k.charger_id
    where k.uuid = ${uuid} and ${live(sql, scope)} ${lock ? sql`for update of k` : sql``}`;
  return row ?? null;
}

const source: RecordSource = {
  id: 'k.id',
  uuid: 'k.uuid',
  network: 'c.network_id',
  driver: null,
  columns,
  tables: (sql) => sql`connectors k join chargers c on c.id = k.charger_id`,
  where: (sql) => sql`k.deleted_at is null and c.deleted_at is null`,
};

/** Replaces the fields of a locked connector. */
export async function updateConnector(
  transaction: Transaction,
  id: number,
  details: ConnectorDetails,
): Promise<void> {
  await transaction`
    update connectors set standard = ${details.standard}, format = ${details.format},
      power_type = ${details.powerType}, max_voltage = ${details.maxVoltage},
      max_amperage = ${details.maxAmperage}, max_power_w = ${details.maxPowerW},
      terms_and_conditions = ${details.termsAndConditions}, capabilities = ${details.capabilities},
      version = version + 1, updated_at = now(), stated_at = now()
    where id = ${id}`;
}

/** Removes a connector that is locked softly; how many tariffs were assigned to it and apply no more. */
export async function removeConnector(transaction: Transaction, id: number): Promise<number> {
  const assignments = await transaction`
    update tariff_assignments set is_active = false where is_active and connector_id = ${id}`;
  await transaction`
    update connectors set deleted_at = now(), updated_at = now(), version = version + 1 where id = ${id}`;
  return assignments.count;
}
