import type { ConnectorPosition } from '#shared/domain/fleet/charger.ts';
import type { MeterSample, PhaseValues } from '#shared/domain/charging/meter-sample.ts';
import { registerOrigin } from '#shared/domain/charging/register-origin.ts';
import type { LineTable } from './insert-lines.ts';
import type { BinaryRows } from './row-binary.ts';

/** Target table of readings. */
export const meterTable: LineTable = {
  name: 'meter_samples',
  columns: [
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
    'current_sum_a',
    'current_l1_a',
    'current_l2_a',
    'current_l3_a',
    'voltage_l1_v',
    'voltage_l2_v',
    'voltage_l3_v',
    'interval_wh',
    'extra',
    'flags',
    'origin',
  ],
};

/** The session id of a reading that belongs to no session. */
export const noSession = '00000000-0000-0000-0000-000000000000';

/** Origin of a reading. */
export interface MeterOrigin {
  networkId: number;
  chargerId: number;
  position: ConnectorPosition;
  /** The session's uuid; null while nothing was charging. */
  sessionId: string | null;
}

/** Reading as stored. */
export type StoredReading = Omit<MeterSample, 'saidTime' | 'energyScale' | 'isEnergySetAside'>;

/** Adds the row of one reading. Leaves no part of it when it throws. */
export function addMeterRow(rows: BinaryRows, origin: MeterOrigin, sample: StoredReading): void {
  try {
    writeFields(rows, origin, sample);
  } catch (error) {
    rows.dropRow();
    throw error;
  }
  rows.endRow();
}

/** Writes the fields of a row in the order of the table's columns. */
function writeFields(rows: BinaryRows, origin: MeterOrigin, sample: StoredReading): void {
  const { position } = origin;
  rows.uint32(origin.networkId);
  rows.uint32(origin.chargerId);
  rows.uint16(position.evse);
  rows.uint16(position.connector);
  rows.uuid(origin.sessionId ?? noSession);
  rows.int64(sample.time.getTime());
  rows.int64(sample.receivedAt.getTime());
  rows.string(sample.context);
  rows.nullableFloat64(sample.energyWh);
  rows.nullableFloat64(sample.powerW);
  rows.nullableFloat64(sample.currentA);
  rows.nullableFloat64(sample.voltageV);
  rows.nullableFloat64(sample.socPercent);
  rows.nullableFloat64(sample.temperatureC);
  rows.nullableFloat64(sample.currentSumA);
  writePhases(rows, sample.phaseCurrentsA);
  writePhases(rows, sample.phaseVoltagesV);
  rows.nullableFloat64(sample.intervalWh);
  const names = Object.keys(sample.extra);
  rows.length(names.length);
  for (const name of names) {
    rows.string(name);
    rows.string(sample.extra[name] ?? '');
  }
  rows.length(sample.flags.length);
  for (const flag of sample.flags) rows.string(flag);
  rows.string(registerOrigin(sample.isNamed, sample.energyLocation, sample.energyKind));
}

/** By index: an iterator would allocate an object for each value. */
function writePhases(rows: BinaryRows, values: PhaseValues): void {
  rows.nullableFloat64(values[0]);
  rows.nullableFloat64(values[1]);
  rows.nullableFloat64(values[2]);
}
