import type { ClickHouse } from '#shared/clickhouse/client.ts';
import { insertBinary } from '#shared/clickhouse/insert-lines.ts';
import {
  addMeterRow,
  type MeterOrigin,
  meterTable,
  type StoredReading,
} from '#shared/clickhouse/meter-samples.ts';
import { BinaryRows } from '#shared/clickhouse/row-binary.ts';

/** Reading with its origin. */
export type MeterRow = readonly [MeterOrigin, StoredReading];

/** Returns a reading of the first connector with one value, and what `more` adds. */
export function meterRow(
  { networkId, chargerId, sessionId }: Omit<MeterOrigin, 'position'>,
  time: Date,
  more: Partial<StoredReading>,
): MeterRow {
  return [
    { networkId, chargerId, sessionId, position: { evse: 1, connector: 1 } },
    {
      time,
      receivedAt: time,
      context: 'Sample.Periodic',
      energyWh: null,
      powerW: null,
      currentA: null,
      voltageV: null,
      socPercent: null,
      temperatureC: null,
      currentSumA: more.currentA ?? null,
      phaseCurrentsA: [null, null, null],
      phaseVoltagesV: [null, null, null],
      intervalWh: null,
      energyLocation: 'Outlet',
      energyKind: 'import',
      isNamed: true,
      extra: {},
      flags: [],
      ...more,
    },
  ];
}

/** Returns the rows as the write-ahead log keeps them. */
export function encodedRows(rows: readonly MeterRow[]): BinaryRows {
  const encoded = new BinaryRows();
  for (const [origin, reading] of rows) addMeterRow(encoded, origin, reading);
  return encoded;
}

/** Stores readings in ClickHouse as a gateway does. */
export function insertMeterRows(clickhouse: ClickHouse, rows: readonly MeterRow[]): Promise<void> {
  return insertBinary(clickhouse, meterTable, encodedRows(rows).chunks());
}
