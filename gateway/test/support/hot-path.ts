import { callRateOf } from '#gateway/socket/call-rate.ts';
import { systemClock } from '#shared/domain/kernel/system-clock.ts';
import { LocalTime } from '#shared/domain/fleet/local-time.ts';
import { randomUUID } from 'node:crypto';
import { getHeapStatistics } from 'node:v8';
import type { Test } from 'tap';
import { CallServer } from '#gateway/connections/call-server.ts';
import type { Stores } from '#gateway/handlers/context.ts';
import { MessageLog } from '#gateway/ingest/message-log.ts';
import { LiveWatches } from '#gateway/ingest/live-watches.ts';
import { MeterWriter } from '#gateway/ingest/meter-writer.ts';
import { ocpp16 } from '#gateway/ocpp16/table.ts';
import { ocpp201 } from '#gateway/ocpp201/table.ts';
import { Connection } from '#gateway/socket/connection.ts';
import { openWal, walDirectory } from '#gateway/wal/test/support/segments.ts';
import type { OcppVersion } from '#shared/domain/fleet/ocpp-version.ts';
import { noReadings } from '#shared/domain/charging/session-meter.ts';
import { BinaryRows } from '#shared/clickhouse/row-binary.ts';
import { BlockWriter } from '#shared/log/block-writer.ts';
import { createLogger } from '#shared/log/log.ts';
import { OutageLog } from '#shared/log/outage-log.ts';
import type { LiveRecord } from '#shared/postgres/charging/session-writes/live-values.ts';
import type { RunningSession } from '#shared/postgres/charging/running-sessions.statements.ts';

/** Tail without followers. */
const noTail = { wants: () => false, add: () => undefined };

/** Chargers with a running session each, on the real path from a text to its durable acknowledgement. */
export interface HotPath {
  /** Every charger sends the next reading; resolves to the bytes on the heap that were allocated until all are answered. */
  round(): Promise<number>;
  close(): Promise<void>;
}

/** Opens the path without sockets and stores; its write-ahead log is real. */
export function openHotPath(t: Pick<Test, 'teardown'>, version: OcppVersion, chargers: number): HotPath {
  const log = createLogger('test', 'silent');
  const wal = openWal(walDirectory(t));
  const messages = new BlockWriter(
    {
      name: 'messages',
      write: () => Promise.resolve(),
      isRowFault: () => false,
      everyMs: 1000,
      rowsPerInsert: 10_000,
      maxBytes: 2 ** 26,
      stored: () => undefined,
      dropped: () => undefined,
      log,
    },
    () => new BinaryRows(),
  );
  // No charger is watched.
  const watches = new LiveWatches({
    publish: () => Promise.resolve(),
    subscribe: () => Promise.reject(new Error()),
  });
  const live = new Map<string, LiveRecord>();
  const stores = {
    meter: new MeterWriter(wal, (origin, samples) => watches.readings(origin, samples, () => null)),
    live,
    meterOverrides: { known: () => [], read: async () => [], forget: () => undefined },
    statuses: { isKnown: () => true },
  } as unknown as Stores;
  let waiting = 0;
  let answered = Promise.withResolvers<void>();
  const socket = {
    send(text: string): boolean {
      if (!text.startsWith('[3,')) throw new Error(text);
      waiting -= 1;
      if (waiting === 0) answered.resolve();
      return true;
    },
    close: () => undefined,
  };
  const callOutages = new OutageLog(log, { failed: 'calls fail' });
  const connections = Array.from({ length: chargers }, (_, id) => {
    const charger = {
      id,
      uuid: randomUUID(),
      uid: `CP-${id}`,
      networkId: 1,
      registration: 'Accepted' as const,
    };
    const protocol = version === '1.6' ? ocpp16 : ocpp201;
    const identity = { charger, protocol, localTime: new LocalTime() };
    const running = [runningSession()];
    const server = new CallServer(identity, {
      stores,
      lookup: {
        credentials: () => Promise.resolve(null),
        state: () => Promise.resolve({ running, localOffsetMinutes: 0 }),
      },
      log,
      clock: systemClock,
      callOutages,
      observe: () => undefined,
      traces: null,
    });
    const connectionId = randomUUID();
    const observe = new MessageLog(messages, noTail).of(charger, version, connectionId);
    return new Connection(connectionId, socket, server, observe, callRateOf(1_000_000));
  });
  const frame = version === '1.6' ? frame16 : frame201;
  let sequence = 0;
  return {
    async round() {
      sequence += 1;
      const frames = connections.map((_, index) => frame(index, sequence));
      const before = usedBytes();
      answered = Promise.withResolvers();
      waiting = chargers;
      for (const [index, connection] of connections.entries()) connection.receive(frames[index] ?? '');
      await answered.promise;
      return usedBytes() - before;
    },
    async close() {
      await wal.close();
      await messages.close();
    },
  };
}

function usedBytes(): number {
  return getHeapStatistics().used_heap_size;
}

function runningSession(): RunningSession {
  const startedAt = new Date(Date.now() - 3_600_000);
  return {
    uuid: randomUUID(),
    transactionId: '1234567',
    position: { evse: 1, connector: 1 },
    startedAt,
    startWh: 0,
    ratedPowerW: null,
    meter: noReadings,
    hasNamedPower: false,
    powerless: null,
    isFree: false,
    isFollowed: false,
    takesLimits: null,
  };
}

/** MeterValues of 1.6 with six measurands, as chargers send them. */
function frame16(charger: number, sequence: number): string {
  const sampledValue = [
    {
      value: String(1000 + sequence),
      context: 'Sample.Periodic',
      measurand: 'Energy.Active.Import.Register',
      unit: 'Wh',
    },
    { value: '7412.5', context: 'Sample.Periodic', measurand: 'Power.Active.Import', unit: 'W' },
    { value: '32.1', context: 'Sample.Periodic', measurand: 'Current.Import', unit: 'A' },
    { value: '230.4', context: 'Sample.Periodic', measurand: 'Voltage', unit: 'V' },
    { value: '54', context: 'Sample.Periodic', measurand: 'SoC', unit: 'Percent' },
    { value: '31.2', context: 'Sample.Periodic', measurand: 'Temperature', unit: 'Celsius' },
  ];
  const meterValue = [{ timestamp: new Date().toISOString(), sampledValue }];
  const payload = { connectorId: 1, transactionId: 1_234_567, meterValue };
  return JSON.stringify([2, `m${charger}-${sequence}`, 'MeterValues', payload]);
}

/** TransactionEvent of 2.0.1 with the same. */
function frame201(charger: number, sequence: number): string {
  const sampledValue = [
    {
      value: 1000 + sequence,
      context: 'Sample.Periodic',
      measurand: 'Energy.Active.Import.Register',
      unitOfMeasure: { unit: 'Wh' },
    },
    {
      value: 7412.5,
      context: 'Sample.Periodic',
      measurand: 'Power.Active.Import',
      unitOfMeasure: { unit: 'W' },
    },
    { value: 32.1, context: 'Sample.Periodic', measurand: 'Current.Import', unitOfMeasure: { unit: 'A' } },
    { value: 230.4, context: 'Sample.Periodic', measurand: 'Voltage', unitOfMeasure: { unit: 'V' } },
    { value: 54, context: 'Sample.Periodic', measurand: 'SoC', unitOfMeasure: { unit: 'Percent' } },
    { value: 31.2, context: 'Sample.Periodic', measurand: 'Temperature', unitOfMeasure: { unit: 'Celsius' } },
  ];
  const timestamp = new Date().toISOString();
  const payload = {
    eventType: 'Updated',
    timestamp,
    triggerReason: 'MeterValuePeriodic',
    seqNo: sequence,
    transactionInfo: { transactionId: '1234567', chargingState: 'Charging' },
    evse: { id: 1, connectorId: 1 },
    meterValue: [{ timestamp, sampledValue }],
  };
  return JSON.stringify([2, `m${charger}-${sequence}`, 'TransactionEvent', payload]);
}
