import type { Version } from '#gateway/test/support/rig.ts';

/** A session as a scripted charger lives it; the charger's own words for it are the dialect's. */
export interface Charging {
  connector: number;
  token: string;
  startedAt: Date;
  meterStartWh: number;
  /** Transaction name of a 2.0.1 charger; in 1.6 our answer names it. */
  name: string;
}

/** The end of it, or a reading while it lasts. */
export interface Reading {
  at: Date;
  registerWh: number;
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
      meterStart: meterStartWh,
      timestamp: startedAt.toISOString(),
    },
  ],
  transactionOf: (_charging, answer) => (answer as { transactionId: number }).transactionId,
  meter: ({ connector }, transactionId, readings) => [
    'MeterValues',
    {
      connectorId: connector,
      transactionId,
      meterValue: readings.map(({ at, registerWh }) => ({
        timestamp: at.toISOString(),
        sampledValue: [{ value: String(registerWh) }],
      })),
    },
  ],
  stop: (_charging, transactionId, { at, registerWh }) => [
    'StopTransaction',
    { transactionId, meterStop: registerWh, timestamp: at.toISOString() },
  ],
};

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
      { at: charging.startedAt, registerWh: charging.meterStartWh },
    ]),
  transactionOf: ({ name }) => name,
  meter: (charging, _transaction, readings, seqNo) =>
    event(charging, 'Updated', 'Sample.Periodic', seqNo, readings),
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
      meterValue: readings.map(({ at, registerWh }) => ({
        timestamp: at.toISOString(),
        sampledValue: [{ value: registerWh, context }],
      })),
    },
  ];
}

/** Both versions; a note that is about both is tested in each. */
export const dialects: readonly Dialect[] = [ocpp16, ocpp201];
