import { socketRow, statusEventTable } from '#shared/clickhouse/status-events.ts';
import type { ClickHouse } from '#shared/clickhouse/client.ts';
import type { Sql } from '#shared/postgres/kernel/client.ts';
import { insertRows } from './rows.ts';

/** Charger to fill, whose connectors exist. */
export interface FilledCharger {
  id: number;
  networkId: number;
}

/** Extent of the history; the default is a year up to now. */
export interface HistoryExtent {
  /** End of the history, at a whole minute. */
  until: Date;
  days: number;
  /** Connectors 1 to this number have readings. */
  connectors: number;
  /** Days before the end that have OCPP messages; the log keeps them for 90 days. */
  messageDays: number;
}

/** Minutes from the start of a session to the next one at the connector. */
const cycleMinutes = 360;

/** Minutes for which a session charges. */
const chargingMinutes = 180;

/** Energy of a minute of charging in Wh. */
const minuteWh = 184;

/** Beginning of three days without any reading, in days after the start of the history. */
const gapDay = 100;
const gapDays = 3;

const minuteMs = 60_000;
const dayMinutes = 1440;
const noConnection = '00000000-0000-0000-0000-000000000000';

/** Columns of a reading from `at` (ms), `minute` (of the history), `place` (connector), `into` (minutes into the cycle). */
const readingColumns = `
  {networkId:UInt32} as network_id, {chargerId:UInt32} as charger_id, place as evse, 1 as connector,
  if(is_charging, toUUID(concat(substr(h, 1, 8), '-', substr(h, 9, 4), '-', substr(h, 13, 4), '-', substr(h, 17, 4), '-',
    substr(h, 21, 12))), toUUID('${noConnection}')) as session_id,
  fromUnixTimestamp64Milli(at) as time, time as received_at, 'Sample.Periodic' as context,
  100000 + (cycle * ${chargingMinutes} + least(into, ${chargingMinutes})) * ${minuteWh} as energy_wh,
  if(is_charging, ${minuteWh * 60} + noise * 10, 0) as power_w,
  if(is_charging, 16 + noise / 50, 0) as current_a, 230 + noise / 10 as voltage_v,
  if(is_charging, least(100, 20 + intDiv(into, 3)), null) as soc_percent,
  20 + intDiv(into, 30) + noise / 20 as temperature_c,
  map('Current.Import.L1 A', toString(current_a), 'Current.Import.L2 A', toString(if(is_charging, 15.5, 0)),
    'Current.Import.L3 A', toString(if(is_charging, 15, 0)), 'Voltage.L1-N V', toString(voltage_v),
    'Voltage.L2-N V', toString(voltage_v + 1), 'Voltage.L3-N V', toString(voltage_v - 1)) as extra`;

/**
 * Fills a charger with a history: a reading per connector and minute, four completed and priced sessions per connector and day,
 * their statuses, a connection, and messages. The values depend only on the extent. Three days from the hundredth on are a gap.
 * Returns the number of readings.
 */
export async function fillYearOfReadings(
  { sql, clickhouse }: { sql: Sql; clickhouse: ClickHouse },
  charger: FilledCharger,
  changed: Partial<HistoryExtent> = {},
): Promise<number> {
  const extent = { until: new Date(), days: 365, connectors: 2, messageDays: 30, ...changed };
  const end = Math.floor(extent.until.getTime() / minuteMs) * minuteMs;
  const start = end - extent.days * dayMinutes * minuteMs;
  const params = { chargerId: charger.id, networkId: charger.networkId, start };
  await insertReadings(clickhouse, extent, params);
  await insertStatuses(clickhouse, extent, params);
  await insertMessages(clickhouse, extent, end, params);
  await insertSessions(sql, charger, extent, start);
  return countReadings(clickhouse, charger.id);
}

interface Params extends Record<string, number> {
  chargerId: number;
  networkId: number;
  start: number;
}

async function insertReadings(
  clickhouse: ClickHouse,
  { days, connectors }: HistoryExtent,
  query_params: Params,
): Promise<void> {
  await clickhouse.command({
    query: `
      insert into meter_samples (network_id, charger_id, evse, connector, session_id, time, received_at, context, energy_wh,
        power_w, current_a, voltage_v, soc_percent, temperature_c, extra)
      select network_id, charger_id, evse, connector, session_id, time, received_at, context, energy_wh,
        power_w, current_a, voltage_v, soc_percent, temperature_c, extra
      from (
        select intDiv(number, ${connectors}) as minute, number % ${connectors} + 1 as place,
          {start:Int64} + minute * ${minuteMs} as at, intDiv(minute, ${cycleMinutes}) as cycle,
          minute % ${cycleMinutes} as into, into < ${chargingMinutes} as is_charging, intHash32(number) % 50 as noise,
          lower(hex(MD5(concat(toString({chargerId:UInt32}), '/', toString(place), '/', toString(cycle))))) as h,
          ${readingColumns}
        from numbers(${days * dayMinutes * connectors})
        where not intDiv(minute, ${dayMinutes}) between ${gapDay} and ${gapDay + gapDays - 1}
      )`,
    query_params,
    clickhouse_settings: { wait_end_of_query: 1 },
  });
}

const statusSteps = [
  ['Preparing', -1],
  ['Charging', 0],
  ['Finishing', chargingMinutes],
  ['Available', chargingMinutes + 2],
] as const;

async function insertStatuses(
  clickhouse: ClickHouse,
  { days, connectors }: HistoryExtent,
  query_params: Params,
): Promise<void> {
  const names = statusSteps.map(([name]) => `'${name}'`).join();
  const minutes = statusSteps.map(([, minute]) => minute).join();
  const cycles = Math.floor((days * dayMinutes) / cycleMinutes);
  await clickhouse.command({
    query: `
      insert into status_events (network_id, charger_id, time, received_at, kind, evse, connector, status, error_code, connection_id)
      select {networkId:UInt32}, {chargerId:UInt32},
        fromUnixTimestamp64Milli({start:Int64} + (intDiv(number, ${connectors}) * ${cycleMinutes} + step.2) * ${minuteMs}) as time,
        time, 'status', number % ${connectors} + 1, 1, step.1, 'NoError', toUUID('${noConnection}')
      from numbers(${cycles * connectors}) array join arrayZip([${names}], [${minutes}]) as step`,
    query_params,
  });
  const charger = { id: query_params.chargerId, networkId: query_params.networkId };
  const at = (day: number) => query_params.start + day * dayMinutes * minuteMs;
  const socket = { connectionId: '11111111-1111-4111-8111-111111111111' };
  const later = { connectionId: '22222222-2222-4222-8222-222222222222' };
  await insertRows(clickhouse, statusEventTable, [
    socketRow(charger, 'connected', at(0), socket),
    ...(days > gapDay + gapDays
      ? [
          socketRow(charger, 'disconnected', at(gapDay), socket),
          socketRow(charger, 'connected', at(gapDay + gapDays), later),
        ]
      : []),
  ]);
}

/** Inserts a call with its answer every 20 s: readings, heartbeats, and one in 50 refused. */
async function insertMessages(
  clickhouse: ClickHouse,
  { days, messageDays }: HistoryExtent,
  end: number,
  params: Params,
): Promise<void> {
  const stepMs = 20_000;
  const count = (Math.min(days, messageDays) * dayMinutes * minuteMs) / stepMs;
  await clickhouse.command({
    query: `
      insert into ocpp_messages (network_id, charger_id, ocpp_version, connection_id, time, seq, direction, kind, action,
        message_id, payload, answer_kind, latency_ms, answer_error_code, answer_payload)
      select {networkId:UInt32}, {chargerId:UInt32}, '1.6', toUUID('22222222-2222-4222-8222-222222222222'),
        fromUnixTimestamp64Milli({end:Int64} - (${count} - number) * ${stepMs}), number * 2, 'in', 'call',
        if(number % 3 = 0, 'Heartbeat', 'MeterValues') as action, toString(number),
        concat('[2,"', toString(number), '","', action, '",{}]'), if(number % 50 = 7, 'error', 'result'),
        1 + intHash32(number) % 20, if(number % 50 = 7, 'FormationViolation', ''),
        if(number % 50 = 7, concat('[4,"', toString(number), '","FormationViolation","",{}]'),
          concat('[3,"', toString(number), '",{}]'))
      from numbers(${count})`,
    query_params: { ...params, end },
  });
}

async function insertSessions(
  sql: Sql,
  charger: FilledCharger,
  { days, connectors }: HistoryExtent,
  start: number,
): Promise<void> {
  const cycles = Math.floor((days * dayMinutes) / cycleMinutes);
  const energyWh = chargingMinutes * minuteWh;
  const cost = {
    currency: 'EUR',
    lines: [],
    totalExclVatMinor: '1095',
    totalVatMinor: '230',
    totalInclVatMinor: '1325',
  };
  await sql`
    insert into sessions (uuid, network_id, charger_id, connector_id, ocpp_transaction_id, start_key, status,
      authorization_status, started_at, start_received_at, ended_at, stop_received_at, meter_start_wh, meter_stop_wh,
      energy_wh, stop_reason, cost_minor, cost, currency)
    select md5(${charger.id}::text || '/' || number || '/' || cycle)::uuid, ${charger.networkId}, ${charger.id}, connectors.id,
      'year-' || number || '-' || cycle, 'year-' || number || '-' || cycle, 'COMPLETED', 'Accepted', started_at, started_at,
      ended_at, ended_at, 100000 + cycle * ${energyWh}, 100000 + (cycle + 1) * ${energyWh}, ${energyWh}, 'Local', 1325,
      ${sql.json(cost)}, 'EUR'
    from connectors, generate_series(0, ${cycles - 1}::bigint) as cycle,
      lateral (select to_timestamp(${start / 1000}::float8) + make_interval(mins => (cycle * ${cycleMinutes})::int) as started_at) as begin,
      lateral (select started_at + make_interval(mins => ${chargingMinutes}) as ended_at) as finish
    where connectors.charger_id = ${charger.id} and number <= ${connectors}
      and not extract(epoch from started_at - to_timestamp(${start / 1000}::float8)) / 86400
        between ${gapDay} and ${gapDay + gapDays - 1}`;
}

async function countReadings(clickhouse: ClickHouse, chargerId: number): Promise<number> {
  const result = await clickhouse.query({
    query: 'select toUInt32(count()) as rows from meter_samples where charger_id = {chargerId:UInt32}',
    query_params: { chargerId },
    format: 'JSONEachRow',
  });
  const [row] = await result.json<{ rows: number }>();
  return row?.rows ?? 0;
}
