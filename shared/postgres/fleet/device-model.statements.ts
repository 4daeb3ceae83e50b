import type { ReceivedReport } from '#shared/domain/commands/charger-reports.ts';
import type { ComponentVariable, VariableMonitor } from '#shared/domain/commands/device-model.ts';
import type { Queryable, Transaction } from '#shared/postgres/kernel/client.ts';
import { recordReportParts } from './report-parts.ts';

/** Maximum number of rows that are stored of one charger: of its variables, and again of its monitors. */
const maxRowsPerCharger = 20_000;

/**
 * The common table expressions that keep a charger within `maxRowsPerCharger` rows of a table, and mark a charger that
 * is cut. They read `reported ("chargerId", is_known, …)`; `kept` has the rows to store, first those that are there.
 */
const keptRows = (transaction: Transaction, table: 'device_variables' | 'variable_monitors') => transaction`
  room as (
    select "chargerId", ${maxRowsPerCharger}
        - (select count(*) from ${transaction(table)} d where d.charger_id = "chargerId") as free
    from reported where not is_known group by "chargerId"
  ), numbered as (
    select *, row_number() over (partition by "chargerId", is_known) as place from reported
  ), cut as (
    update chargers c set device_model_cut_at = now()
    from (
      select distinct n."chargerId" as id from numbered n join room using ("chargerId")
      where not n.is_known and n.place > room.free
    ) full_ones
    where c.id = full_ones.id and c.device_model_cut_at is null
  ), kept as (
    select n.* from numbered n left join room using ("chargerId") where n.is_known or n.place <= room.free
  )`;

/** Stores what chargers reported of their device models, up to a limit; of two reports the newer counts. */
export async function recordDeviceVariables(
  transaction: Transaction,
  reports: ReceivedReport<'device-variables'>[],
): Promise<void> {
  const rows = reports.flatMap(({ chargerId, report, variables }) =>
    variables.map((variable) => ({ ...variable, chargerId, at: report.generatedAt })),
  );
  await transaction`
    with reported as (
      select r.*, d.charger_id is not null as is_known
      from jsonb_to_recordset(${transaction.json(newest(rows, (row) => [placeOf(row), row.attribute]) as never)}) as r(
        "chargerId" integer, component text, "componentInstance" text, evse integer, connector integer,
        variable text, "variableInstance" text, attribute text, value text, mutability text, persistent boolean,
        constant boolean, unit text, "dataType" text, "minLimit" double precision, "maxLimit" double precision,
        "valuesList" text, "supportsMonitoring" boolean, at timestamptz)
      left join device_variables d on d.charger_id = r."chargerId" and d.component = r.component
        and d.component_instance = r."componentInstance" and d.evse = r.evse and d.connector = r.connector
        and d.variable = r.variable and d.variable_instance = r."variableInstance" and d.attribute = r.attribute
    ), ${keptRows(transaction, 'device_variables')}
    insert into device_variables (charger_id, component, component_instance, evse, connector, variable,
      variable_instance, attribute, value, mutability, persistent, constant, unit, data_type, min_limit, max_limit,
      values_list, supports_monitoring, reported_at)
    select r."chargerId", r.component, r."componentInstance", r.evse, r.connector, r.variable,
      r."variableInstance", r.attribute, r.value, r.mutability, r.persistent, r.constant, r.unit, r."dataType",
      r."minLimit", r."maxLimit", r."valuesList", r."supportsMonitoring", r.at
    from kept r
    on conflict (charger_id, component, component_instance, evse, connector, variable, variable_instance, attribute)
    do update set value = excluded.value, mutability = excluded.mutability, persistent = excluded.persistent,
      constant = excluded.constant,
      -- Characteristics may be left out of a report; they do not change.
      unit = coalesce(excluded.unit, device_variables.unit),
      data_type = coalesce(excluded.data_type, device_variables.data_type),
      min_limit = coalesce(excluded.min_limit, device_variables.min_limit),
      max_limit = coalesce(excluded.max_limit, device_variables.max_limit),
      values_list = coalesce(excluded.values_list, device_variables.values_list),
      supports_monitoring = coalesce(excluded.supports_monitoring, device_variables.supports_monitoring),
      reported_at = excluded.reported_at
    where device_variables.reported_at <= excluded.reported_at`;
  await recordReportParts(transaction, reports);
}

/** Monitors as rows `r`. */
const monitorRows = (
  sql: Queryable,
  monitors: readonly (VariableMonitor & { chargerId: number; at: Date })[],
) => sql`
  jsonb_to_recordset(${sql.json(monitors as never)}) as r(
    "chargerId" integer, "monitorId" integer, component text, "componentInstance" text, evse integer,
    connector integer, variable text, "variableInstance" text, type text, value double precision,
    severity integer, "transactionOnly" boolean, "notificationType" text, at timestamptz)`;

/** Stores the monitors of `rows`, named `r`; one with the same number is replaced. */
const storeMonitors = (sql: Queryable, rows: ReturnType<typeof monitorRows>) => sql`
  insert into variable_monitors (charger_id, monitor_id, component, component_instance, evse, connector, variable,
    variable_instance, type, value, severity, transaction_only, notification_type, reported_at)
  select r."chargerId", r."monitorId", r.component, r."componentInstance", r.evse, r.connector, r.variable,
    r."variableInstance", r.type, r.value, r.severity, r."transactionOnly", r."notificationType", r.at
  from ${rows}
  on conflict (charger_id, monitor_id) do update set component = excluded.component,
    component_instance = excluded.component_instance, evse = excluded.evse, connector = excluded.connector,
    variable = excluded.variable, variable_instance = excluded.variable_instance, type = excluded.type,
    value = excluded.value, severity = excluded.severity, transaction_only = excluded.transaction_only,
    notification_type = coalesce(excluded.notification_type, variable_monitors.notification_type),
    reported_at = excluded.reported_at`;

/** Stores monitors that a charger accepted (N04). */
export async function storeSetMonitors(
  sql: Queryable,
  chargerId: number,
  monitors: readonly VariableMonitor[],
): Promise<void> {
  const at = new Date();
  await storeMonitors(
    sql,
    monitorRows(
      sql,
      monitors.map((monitor) => ({ ...monitor, chargerId, at })),
    ),
  );
}

/** Stores the monitors that chargers reported, up to a limit. */
export async function recordVariableMonitors(
  transaction: Transaction,
  reports: ReceivedReport<'variable-monitors'>[],
): Promise<void> {
  const rows = reports.flatMap(({ chargerId, report, monitors }) =>
    monitors.map((monitor) => ({ ...monitor, chargerId, at: report.generatedAt })),
  );
  await transaction`
    with reported as (
      select r.*, d.charger_id is not null as is_known
      from ${monitorRows(
        transaction,
        newest(rows, (row) => [row.chargerId, row.monitorId]),
      )}
      left join variable_monitors d on d.charger_id = r."chargerId" and d.monitor_id = r."monitorId"
    ), ${keptRows(transaction, 'variable_monitors')}
    ${storeMonitors(transaction, transaction`kept r`)}
    where variable_monitors.reported_at <= excluded.reported_at`;
  await recordReportParts(transaction, reports);
}

/** Stores events, each once. */
export async function recordDeviceEvents(
  transaction: Transaction,
  reports: ReceivedReport<'device-events'>[],
): Promise<void> {
  const rows = reports.flatMap(({ chargerId, receivedAt, events }) =>
    events.map((event) => ({ ...event, chargerId, receivedAt })),
  );
  await transaction`
    insert into device_events (charger_id, event_id, occurred_at, received_at, time_flag, trigger, notification_type,
      component, component_instance, evse, connector, variable, variable_instance, actual_value, cause, tech_code,
      tech_info, cleared, transaction_id, monitor_id)
    select r."chargerId", r."eventId", r."occurredAt", r."receivedAt", r."timeFlag", r.trigger,
      r."notificationType", r.component, r."componentInstance", r.evse, r.connector, r.variable,
      r."variableInstance", r."actualValue", r.cause, r."techCode", r."techInfo", r.cleared, r."transactionId",
      r."monitorId"
    from jsonb_to_recordset(${transaction.json(rows)}) as r("chargerId" integer, "eventId" bigint,
      "occurredAt" timestamptz, "receivedAt" timestamptz, "timeFlag" text, trigger text, "notificationType" text,
      component text, "componentInstance" text, evse integer, connector integer, variable text,
      "variableInstance" text, "actualValue" text, cause integer, "techCode" text, "techInfo" text,
      cleared boolean, "transactionId" text, "monitorId" integer)
    on conflict do nothing`;
}

const placeOf = (place: ComponentVariable & { chargerId: number }): unknown[] => [
  place.chargerId,
  place.component,
  place.componentInstance,
  place.evse,
  place.connector,
  place.variable,
  place.variableInstance,
];

/** One row of each key: the newest, the later one of two of the same time. */
function newest<Row extends { at: Date }>(rows: Row[], keyOf: (row: Row) => unknown[]): Row[] {
  const kept = new Map<string, Row>();
  for (const row of rows) {
    const key = JSON.stringify(keyOf(row));
    const before = kept.get(key);
    if (before === undefined || before.at <= row.at) kept.set(key, row);
  }
  return [...kept.values()];
}

/** Stores security events, each once. */
export async function recordSecurityEvents(
  transaction: Transaction,
  reports: ReceivedReport<'security-event'>[],
): Promise<void> {
  await transaction`
    insert into security_events (charger_id, type, tech_info, occurred_at, received_at, time_flag)
    select r."chargerId", r.event, r."techInfo", r."occurredAt", r."receivedAt", r."timeFlag"
    from jsonb_to_recordset(${transaction.json(reports)}) as r("chargerId" integer, event text,
      "techInfo" text, "occurredAt" timestamptz, "receivedAt" timestamptz, "timeFlag" text)
    on conflict do nothing`;
}
