import type { Version } from '#gateway/test/support/rig.ts';

/** A session as a scripted charger lives it; the charger's own words for it are the dialect's. */
export interface Charging {
  connector: number;
  token: string;
  startedAt: Date;
  /** Register in Wh. Null: -1 in 1.6, and no value in 2.0.1. */
  meterStartWh: number | null;
  /** Values of the start of 2.0.1, instead of the register. */
  startValues?: readonly SampledValue[];
  /** Transaction name of a 2.0.1 charger; in 1.6 our answer names it. */
  name: string;
}

/** The end of it, or a reading while it lasts. */
export interface Reading {
  at: Date;
  /** Register in Wh; null: the charger reports none. */
  registerWh: number | null;
  /** Values as 1.6 sends them, instead of the register. */
  values?: readonly SampledValue[] | undefined;
}

/** Value of a meter, in the form of 1.6. */
export interface SampledValue {
  value: string;
  measurand?: string;
  unit?: string;
  phase?: string;
  location?: string;
}

export type Call = [action: string, payload: Record<string, unknown>];

/** Version of OCPP, with its form of the same messages. */
export interface Dialect {
  version: Version;

  boot: Call;
  authorize(token: string): Call;
  status(connector: number, status: string): Call;
  start(charging: Charging): Call;
  /** The transaction's id, after its start was answered with this payload. */
  transactionOf(charging: Charging, answer: unknown): string | number;
  meter(charging: Charging, transaction: string | number, readings: Reading[], seqNo: number): Call;
  /** Readings outside the transaction. 1.6 sends `transaction` with them, where it is not undefined; 2.0.1 has no such field. */
  unnamed(charging: Charging, transaction: unknown, readings: Reading[]): Call;
  stop(charging: Charging, transaction: string | number, end: Reading, seqNo: number): Call;
}

const ocpp16: Dialect = {
  version: 'ocpp1.6',

  boot: ['BootNotification', { chargePointVendor: 'V', chargePointModel: 'M' }],
  authorize: (token) => ['Authorize', { idTag: token }],
  status: (connectorId, status) => ['StatusNotification', { connectorId, errorCode: 'NoError', status }],
  start: ({ connector, token, startedAt, meterStartWh }) => [
    'StartTransaction',
    {
      connectorId: connector,
      idTag: token,
      meterStart: meterStartWh ?? -1,
      timestamp: startedAt.toISOString(),
    },
  ],
  transactionOf: (_charging, answer) => (answer as { transactionId: number }).transactionId,
  meter: (charging, transactionId, readings) => meterValues16(charging, transactionId, readings),
  unnamed: meterValues16,
  stop: (_charging, transactionId, { at, registerWh }) => [
    'StopTransaction',
    { transactionId, meterStop: registerWh ?? -1, timestamp: at.toISOString() },
  ],
};

function meterValues16({ connector }: Charging, transactionId: unknown, readings: Reading[]): Call {
  const meterValue = readings.map((reading) => ({
    timestamp: reading.at.toISOString(),
    sampledValue: valuesOf(reading),
  }));
  return ['MeterValues', { connectorId: connector, transactionId, meterValue }];
}

function valuesOf({ registerWh, values }: Reading): readonly SampledValue[] {
  return values ?? (registerWh === null ? [] : [{ value: String(registerWh) }]);
}

/** Returns readings in the form of 2.0.1; a reading without values is left out. */
function meterValue201(readings: readonly Reading[], context: string): { meterValue?: object[] } {
  const meterValue = readings
    .map((reading) => ({
      timestamp: reading.at.toISOString(),
      sampledValue: valuesOf(reading).map(({ value, unit, ...rest }) => ({
        ...rest,
        value: Number(value),
        context,
        ...(unit !== undefined && { unitOfMeasure: { unit } }),
      })),
    }))
    .filter(({ sampledValue }) => sampledValue.length > 0);
  return meterValue.length === 0 ? {} : { meterValue };
}

const ocpp201: Dialect = {
  version: 'ocpp2.0.1',

  boot: ['BootNotification', { reason: 'PowerUp', chargingStation: { vendorName: 'V', model: 'M' } }],
  authorize: (token) => ['Authorize', { idToken: { idToken: token, type: 'ISO14443' } }],
  status: (evseId, connectorStatus) => [
    'StatusNotification',
    { evseId, connectorId: 1, connectorStatus, timestamp: new Date().toISOString() },
  ],
  start: (charging) =>
    event(charging, 'Started', 'Transaction.Begin', 0, [
      { at: charging.startedAt, registerWh: charging.meterStartWh, values: charging.startValues },
    ]),
  transactionOf: ({ name }) => name,
  meter: (charging, _transaction, readings, seqNo) =>
    event(charging, 'Updated', 'Sample.Periodic', seqNo, readings),
  unnamed: ({ connector }, _transaction, readings) => [
    'MeterValues',
    { evseId: connector, ...meterValue201(readings, 'Sample.Clock') },
  ],
  stop: (charging, _transaction, end, seqNo) => event(charging, 'Ended', 'Transaction.End', seqNo, [end]),
};

function event(
  { connector, token, name }: Charging,
  eventType: string,
  context: string,
  seqNo: number,
  readings: Reading[],
): Call {
  return [
    'TransactionEvent',
    {
      eventType,
      timestamp: readings.at(-1)?.at.toISOString(),
      triggerReason: 'MeterValuePeriodic',
      seqNo,
      transactionInfo: { transactionId: name },
      evse: { id: connector, connectorId: 1 },
      ...(eventType === 'Started' ? { idToken: { idToken: token, type: 'ISO14443' } } : {}),
      ...meterValue201(readings, context),
    },
  ];
}

const ocpp21: Dialect = { ...ocpp201, version: 'ocpp2.1' };

/** All versions; a note that is about all is tested in each. */
export const dialects: readonly Dialect[] = [ocpp16, ocpp201, ocpp21];
