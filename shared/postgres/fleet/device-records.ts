import type { AttributeType } from '#shared/domain/commands/commands.ts';
import type { ComponentVariable, DeviceVariable } from '#shared/domain/commands/device-model.ts';
import type { Queryable } from '#shared/postgres/kernel/client.ts';

/** Position in a charger's device model (2.0.1). Null for parts that the standard leaves out. */
interface DevicePlaceRecord {
  component: string;
  componentInstance: string | null;
  evseId: number | null;
  connectorId: number | null;
  variable: string;
  variableInstance: string | null;
}

/** One attribute of a variable, as the charger reported it. */
export interface DeviceVariableRecord
  extends DevicePlaceRecord, Omit<DeviceVariable, keyof ComponentVariable | 'attribute'> {
  id: number;
  attributeType: AttributeType;
  reportedAt: Date;
}

/** An event of the device model (NotifyEvent). */
export interface DeviceEventRecord extends DevicePlaceRecord {
  id: bigint;
  eventId: bigint;
  occurredAt: Date;
  receivedAt: Date;
  timeFlag: string | null;
  trigger: string;
  notificationType: string;
  actualValue: string;
  cause: number | null;
  techCode: string | null;
  techInfo: string | null;
  cleared: boolean | null;
  transactionId: string | null;
  monitorId: number | null;
}

/** A security event of a charger. */
export interface SecurityEventRecord {
  id: bigint;
  type: string;
  techInfo: string | null;
  occurredAt: Date;
  receivedAt: Date;
  timeFlag: string | null;
}

/**
 * Filter of events: both times inclusive, `before` exclusive. Times are stored with whole milliseconds, as in
 * cursors.
 */
interface EventFilter {
  from?: Date | undefined;
  to?: Date | undefined;
  before?: { time: Date; id: string } | null;
}

const place = (sql: Queryable) => sql`
  component, nullif(component_instance, '') as "componentInstance", nullif(evse, 0) as "evseId",
  nullif(connector, 0) as "connectorId", variable, nullif(variable_instance, '') as "variableInstance"`;

const within = (sql: Queryable, { from, to, before }: EventFilter) => sql`
  ${from === undefined ? sql`` : sql`and occurred_at >= ${from}`}
  ${to === undefined ? sql`` : sql`and occurred_at <= ${to}`}
  ${before == null ? sql`` : sql`and (occurred_at, id) < (${before.time}, ${before.id}::bigint)`}`;

/** Attributes of a charger's variables after this id; names are compared without regard to case (identifierString). */
export function listDeviceVariables(
  sql: Queryable,
  chargerId: number,
  filter: { component?: string | undefined; variable?: string | undefined; evseId?: number | undefined },
  after: number | null,
  limit: number,
): Promise<DeviceVariableRecord[]> {
  const { component, variable, evseId } = filter;
  return sql<DeviceVariableRecord[]>`
    select id::double precision as id, ${place(sql)}, attribute as "attributeType", value, mutability, persistent,
      constant, unit, data_type as "dataType", min_limit as "minLimit", max_limit as "maxLimit",
      values_list as "valuesList", supports_monitoring as "supportsMonitoring", reported_at as "reportedAt"
    from device_variables
    where charger_id = ${chargerId} and id > ${after ?? 0}
      ${component === undefined ? sql`` : sql`and lower(component) = lower(${component})`}
      ${variable === undefined ? sql`` : sql`and lower(variable) = lower(${variable})`}
      ${evseId === undefined ? sql`` : sql`and evse = ${evseId}`}
    order by id limit ${limit}`;
}

/** A variable of the station as a whole that a charger reported, by the key that reads it as a setting. */
export interface ReportedSetting {
  /** `Component.Variable` or `Component.Variable[Instance]`. */
  key: string;
  readonly: boolean;
}

/** Returns the readable settings that a charger (2.0.1) reported. Empty: it has not reported yet. */
export function listReportedSettings(sql: Queryable, chargerId: number): Promise<ReportedSetting[]> {
  return sql<ReportedSetting[]>`
    select component || '.' || variable || coalesce('[' || nullif(variable_instance, '') || ']', '') as key,
      mutability = 'ReadOnly' as readonly
    from device_variables
    where charger_id = ${chargerId} and attribute = 'Actual' and mutability <> 'WriteOnly'
      and component_instance = '' and evse = 0 and connector = 0
    order by key`;
}

/** The newest events of a charger's device model, newest first. */
export function listDeviceEvents(
  sql: Queryable,
  chargerId: number,
  filter: EventFilter & { component?: string | undefined; variable?: string | undefined },
  limit: number,
): Promise<DeviceEventRecord[]> {
  const { component, variable } = filter;
  return sql<DeviceEventRecord[]>`
    select id, event_id as "eventId", occurred_at as "occurredAt", received_at as "receivedAt",
      time_flag as "timeFlag", trigger, notification_type as "notificationType", ${place(sql)},
      actual_value as "actualValue", cause, tech_code as "techCode", tech_info as "techInfo", cleared,
      transaction_id as "transactionId", monitor_id as "monitorId"
    from device_events where charger_id = ${chargerId} ${within(sql, filter)}
      ${component === undefined ? sql`` : sql`and lower(component) = lower(${component})`}
      ${variable === undefined ? sql`` : sql`and lower(variable) = lower(${variable})`}
    order by occurred_at desc, id desc limit ${limit}`;
}

/** The newest security events of a charger, newest first. */
export function listSecurityEvents(
  sql: Queryable,
  chargerId: number,
  filter: EventFilter & { type?: string | undefined },
  limit: number,
): Promise<SecurityEventRecord[]> {
  return sql<SecurityEventRecord[]>`
    select id, type, tech_info as "techInfo", occurred_at as "occurredAt", received_at as "receivedAt",
      time_flag as "timeFlag"
    from security_events where charger_id = ${chargerId} ${within(sql, filter)}
      ${filter.type === undefined ? sql`` : sql`and type = ${filter.type}`}
    order by occurred_at desc, id desc limit ${limit}`;
}

/** A certificate that a charger is known to hold. */
export interface CertificateRecord {
  uuid: string;
  certificateType: string;
  pem: string;
  hashAlgorithm: 'SHA256' | 'SHA384' | 'SHA512';
  issuerNameHash: string;
  /** Empty: its issuer is another certificate, whose key is not in it. */
  issuerKeyHash: string;
  serialNumber: string;
  installedAt: Date;
}

const certificateColumns = (sql: Queryable) => sql`
  uuid, certificate_type as "certificateType", pem, hash_algorithm as "hashAlgorithm",
  issuer_name_hash as "issuerNameHash", issuer_key_hash as "issuerKeyHash", serial_number as "serialNumber",
  installed_at as "installedAt"`;

/** The certificates that a charger is known to hold, newest first. */
export function listHeldCertificates(sql: Queryable, chargerId: number): Promise<CertificateRecord[]> {
  return sql<CertificateRecord[]>`
    select ${certificateColumns(sql)} from charger_certificates
    where charger_id = ${chargerId} and deleted_at is null order by id desc limit 1000`;
}

/** One of them, or null. */
export async function findHeldCertificate(
  sql: Queryable,
  chargerId: number,
  uuid: string,
): Promise<CertificateRecord | null> {
  const [row] = await sql<CertificateRecord[]>`
    select ${certificateColumns(sql)} from charger_certificates
    where charger_id = ${chargerId} and uuid = ${uuid} and deleted_at is null`;
  return row ?? null;
}

/** Tables of chargers' events, from which old rows are removed. */
export type EventTable = 'device_events' | 'security_events' | 'charger_notifications';

/** Removes up to `most` rows that were received more than `days` ago; answers how many. */
export async function removeOldEvents(
  sql: Queryable,
  table: EventTable,
  days: number,
  most: number,
): Promise<number> {
  const { count } = await sql`
    delete from ${sql(table)} where id in (
      select id from ${sql(table)} where received_at < now() - make_interval(days => ${days})
      order by received_at limit ${most} for update skip locked)`;
  return count;
}

/**
 * Reads the limits of a message that a charger of 2.0.1 reported in its device model; null: not reported. Names are
 * compared without regard to case (identifierString).
 */
export async function readReportedLimits(
  sql: Queryable,
  chargerId: number,
  { component, instance }: { component: string; instance: string },
): Promise<{ items: number | null; bytes: number | null }> {
  const rows = await sql<{ variable: string; value: number }[]>`
    select lower(variable) as variable, value::integer as value from device_variables
    where charger_id = ${chargerId} and lower(component) = lower(${component}) and component_instance = ''
      and evse = 0 and connector = 0 and lower(variable) in ('itemspermessage', 'bytespermessage')
      and lower(variable_instance) = lower(${instance}) and attribute = 'Actual' and value ~ '^[1-9][0-9]{0,8}$'`;
  const valueOf = (name: string) => rows.find(({ variable }) => variable === name)?.value ?? null;
  return { items: valueOf('itemspermessage'), bytes: valueOf('bytespermessage') };
}
