import type { ConnectorPosition } from '#shared/domain/fleet/charger.ts';
import type { MeterSample } from '#shared/domain/charging/meter-sample.ts';
import type { ClickHouse } from './client.ts';

const columns = [
  'network_id',
  'charger_id',
  'evse',
  'connector',
  'session_id',
  'time',
  'received_at',
  'context',
  'energy_wh',
  'power_w',
  'current_a',
  'voltage_v',
  'soc_percent',
  'temperature_c',
  'extra',
  'flags',
] as const;

/** The session id of a reading that belongs to no session. */
export const noSession = '00000000-0000-0000-0000-000000000000';

/** A row of `meter_samples`, in the order of its columns: what the writers hold and the spool keeps. Times in ms. */
export type MeterRow = [
  networkId: number,
  chargerId: number,
  evse: number,
  connector: number,
  sessionId: string,
  time: number,
  receivedAt: number,
  context: string,
  energyWh: number | null,
  powerW: number | null,
  currentA: number | null,
  voltageV: number | null,
  socPercent: number | null,
  temperatureC: number | null,
  extra: Record<string, string>,
  flags: string[],
];

/** Origin of a reading. */
export interface MeterOrigin {
  networkId: number;
  chargerId: number;
  position: ConnectorPosition;
  /** The session's uuid; null while nothing was charging. */
  sessionId: string | null;
}

/** Reading as stored. */
export type StoredReading = Omit<MeterSample, 'saidTime'>;

/** The row of one reading. */
export function meterRow(origin: MeterOrigin, sample: StoredReading): MeterRow {
  return [
    origin.networkId,
    origin.chargerId,
    origin.position.evse,
    origin.position.connector,
    origin.sessionId ?? noSession,
    sample.time.getTime(),
    sample.receivedAt.getTime(),
    sample.context,
    sample.energyWh,
    sample.powerW,
    sample.currentA,
    sample.voltageV,
    sample.socPercent,
    sample.temperatureC,
    sample.extra,
    sample.flags,
  ];
}

/** Writes rows in one insert; when it resolves they are stored. */
export async function insertMeterRows(client: ClickHouse, rows: MeterRow[]): Promise<void> {
  await client.insert({
    table: 'meter_samples',
    columns: [...columns],
    values: rows,
    format: 'JSONCompactEachRow',
  });
}
