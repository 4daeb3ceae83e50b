import { command16, settings16 } from './commands16.ts';
import type { Dialect, SessionEnd } from './dialect.ts';
import { measurements } from './measurands.ts';
import { number, type Payload, record, text } from './payload.ts';
import { SimulatedStation } from './simulated-station.ts';
import type { ConnectorPhase, Reading, Session, Station, StationOptions, StopReason } from './station.ts';

const statuses: Record<ConnectorPhase, string> = {
  available: 'Available',
  preparing: 'Preparing',
  reserved: 'Reserved',
  charging: 'Charging',
  suspendedEv: 'SuspendedEV',
  finishing: 'Finishing',
  unavailable: 'Unavailable',
};

const stopReasons: Record<StopReason, string> = {
  local: 'Local',
  remote: 'Remote',
  evDisconnected: 'EVDisconnected',
  // 1.6 has no word for a car that ends the session.
  stoppedByEv: 'Other',
  deAuthorized: 'DeAuthorized',
  softReset: 'SoftReset',
  hardReset: 'HardReset',
  unlock: 'UnlockCommand',
  powerLoss: 'PowerLoss',
  emergencyStop: 'EmergencyStop',
};

type Context = 'Sample.Periodic' | 'Trigger';

function meterValue(reading: Reading, context: Context): Payload {
  return {
    timestamp: reading.time.toISOString(),
    sampledValue: measurements(reading).map((measured) => ({
      // 1.6 section 7.43: the value is a string.
      value: String(measured.value),
      context,
      measurand: measured.measurand,
      location: measured.location,
      unit: measured.unit,
    })),
  };
}

function meterValues(
  connectorId: number,
  transactionId: number | string | undefined,
  readings: readonly Reading[],
  context: Context,
): { action: string; payload: Payload } {
  return {
    action: 'MeterValues',
    payload: {
      connectorId,
      transactionId,
      meterValue: readings.map((reading) => meterValue(reading, context)),
    },
  };
}

/** Signed records of both ends, which come with the stop. */
function transactionData(session: Session, end: SessionEnd): Payload[] | undefined {
  if (session.signedStart === undefined || end.signed === undefined) return undefined;
  return [
    signedValue(session.startedAt, 'Transaction.Begin', session.signedStart),
    signedValue(end.at, 'Transaction.End', end.signed),
  ];
}

function signedValue(time: Date, context: string, value: string): Payload {
  return { timestamp: time.toISOString(), sampledValue: [{ value, context, format: 'SignedData' }] };
}

const dialect16: Dialect = {
  protocol: 'ocpp1.6',
  settings: settings16,
  boot: (options) => ({
    action: 'BootNotification',
    payload: {
      chargePointVendor: options.vendor,
      chargePointModel: options.model,
      chargePointSerialNumber: options.serialNumber,
      firmwareVersion: options.firmwareVersion,
    },
  }),
  statusName: (phase) => statuses[phase],
  status: (connectorId, phase, at) => ({
    action: 'StatusNotification',
    payload: { connectorId, errorCode: 'NoError', status: statuses[phase], timestamp: at.toISOString() },
  }),
  authorize: (idTag) => ({ action: 'Authorize', payload: { idTag } }),
  tokenStatus: (answer) => text(record(answer, 'idTagInfo'), 'status') ?? 'Accepted',
  newTransactionId: () => undefined,
  start: (session) => ({
    action: 'StartTransaction',
    payload: {
      connectorId: session.connector,
      idTag: session.idToken,
      meterStart: Math.round(session.meterStartWh),
      reservationId: session.reservationId,
      timestamp: session.startedAt.toISOString(),
    },
  }),
  started: (session, answer) => {
    session.transactionId = number(answer, 'transactionId');
  },
  chargingState: undefined,
  meterValues: (session, readings) =>
    meterValues(session.connector, session.transactionId, readings, 'Sample.Periodic'),
  metered: undefined,
  triggeredMeterValues: (connector, session, reading) =>
    meterValues(connector, session?.transactionId, [reading], 'Trigger'),
  triggeredEvent: undefined,
  stop: (session, end) => ({
    action: 'StopTransaction',
    payload: {
      // A start that was never accepted has no id; chargers then send one that cannot exist.
      transactionId: session.transactionId ?? -1,
      idTag: end.reason === 'local' ? session.idToken : undefined,
      meterStop: Math.round(end.meterStopWh),
      timestamp: end.at.toISOString(),
      reason: stopReasons[end.reason],
      transactionData: transactionData(session, end),
    },
  }),
  command: command16,
};

/** A simulated OCPP 1.6-J charge point; not connected yet. */
export function createStation16(options: StationOptions): Station {
  return new SimulatedStation(options, dialect16);
}
