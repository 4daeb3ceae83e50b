import { randomUUID } from 'node:crypto';
import { command201, settings201 } from './commands201.ts';
import type { BootReason, Dialect } from './dialect.ts';
import { measurements } from './measurands.ts';
import { type Payload, record, text } from './payload.ts';
import type { Call } from './rpc.ts';
import { SimulatedStation } from './simulated-station.ts';
import type { ConnectorPhase, Reading, Session, Station, StationOptions, StopReason } from './station.ts';

const bootReasons: Record<BootReason, string> = {
  powerUp: 'PowerUp',
  remoteReset: 'RemoteReset',
  triggered: 'Triggered',
};

/** stoppedReason and triggerReason of the Ended event. */
const stopReasons: Record<StopReason, [stopped: string, trigger: string]> = {
  local: ['Local', 'StopAuthorized'],
  remote: ['Remote', 'RemoteStop'],
  evDisconnected: ['EVDisconnected', 'EVDeparted'],
  stoppedByEv: ['StoppedByEV', 'ChargingStateChanged'],
  deAuthorized: ['DeAuthorized', 'Deauthorized'],
  softReset: ['ImmediateReset', 'ResetCommand'],
  hardReset: ['ImmediateReset', 'ResetCommand'],
  unlock: ['Other', 'UnlockCommand'],
  powerLoss: ['PowerLoss', 'AbnormalCondition'],
  emergencyStop: ['EmergencyStop', 'AbnormalCondition'],
};

function statusName(phase: ConnectorPhase): string {
  if (phase === 'available') return 'Available';
  if (phase === 'reserved') return 'Reserved';
  return phase === 'unavailable' ? 'Unavailable' : 'Occupied';
}

function token(idToken: string): Payload {
  return { idToken, type: 'ISO14443' };
}

/** @param signed record of the meter; undefined: none. */
function meterValue(reading: Reading, context: string, signed?: string): Payload {
  return {
    timestamp: reading.time.toISOString(),
    sampledValue: measurements(reading)
      .filter(({ measurand }) => measurand !== 'Temperature')
      .map((measured) => ({
        value: measured.value,
        context,
        measurand: measured.measurand,
        location: measured.location,
        unitOfMeasure: { unit: measured.unit },
        ...(signed !== undefined && { signedMeterValue: signedMeterValue(signed) }),
      })),
  };
}

function signedMeterValue(record: string): Payload {
  return {
    signedMeterData: Buffer.from(record).toString('base64'),
    signingMethod: '',
    encodingMethod: 'OCMF',
    publicKey: '',
  };
}

interface Event {
  eventType: 'Started' | 'Updated' | 'Ended';
  timestamp: Date;
  triggerReason: string;
  sequence: number;
  offline: boolean;
  transaction?: Payload;
  meterValue?: Payload[] | undefined;
  idToken?: Payload | undefined;
}

function transactionEvent(session: Session, event: Event): Call {
  return {
    action: 'TransactionEvent',
    payload: {
      eventType: event.eventType,
      timestamp: event.timestamp.toISOString(),
      triggerReason: event.triggerReason,
      seqNo: event.sequence,
      offline: event.offline,
      reservationId: event.eventType === 'Started' ? session.reservationId : undefined,
      transactionInfo: { transactionId: session.transactionId, ...event.transaction },
      evse: { id: session.connector, connectorId: 1 },
      idToken: event.idToken,
      meterValue: event.meterValue,
    },
  };
}

function updatedByReadings(
  session: Session,
  readings: readonly Reading[],
  sequence: number,
  offline: boolean,
  trigger: { triggerReason: string; context: string },
): Call {
  return transactionEvent(session, {
    eventType: 'Updated',
    timestamp: readings.at(-1)?.time ?? new Date(),
    triggerReason: trigger.triggerReason,
    sequence,
    offline,
    meterValue: readings.map((reading) => meterValue(reading, trigger.context)),
  });
}

/** Messages of 2.0.1, of which 2.1 sends the same. */
export const dialect201: Dialect = {
  protocol: 'ocpp2.0.1',
  settings: settings201,
  boot: (options, reason) => ({
    action: 'BootNotification',
    payload: {
      reason: bootReasons[reason],
      chargingStation: {
        vendorName: options.vendor,
        model: options.model,
        serialNumber: options.serialNumber,
        firmwareVersion: options.firmwareVersion,
      },
    },
  }),
  statusName,
  // One connector per EVSE: a connector's number is its EVSE's.
  status: (evseId, phase, at) => ({
    action: 'StatusNotification',
    payload: {
      timestamp: at.toISOString(),
      connectorStatus: statusName(phase),
      evseId,
      connectorId: 1,
    },
  }),
  authorize: (idToken) => ({ action: 'Authorize', payload: { idToken: token(idToken) } }),
  tokenStatus: (answer) => text(record(answer, 'idTokenInfo'), 'status') ?? 'Accepted',
  newTransactionId: () => randomUUID(),
  start: (session, sequence, offline) =>
    transactionEvent(session, {
      eventType: 'Started',
      timestamp: session.startedAt,
      triggerReason: session.remote ? 'RemoteStart' : 'Authorized',
      sequence,
      offline,
      transaction: { chargingState: 'EVConnected', remoteStartId: session.remoteStartId },
      idToken: token(session.idToken),
      meterValue: [
        meterValue(
          { time: session.startedAt, energyWh: session.meterStartWh },
          'Transaction.Begin',
          session.signedStart,
        ),
      ],
    }),
  started: () => undefined,
  chargingState: (session, suspended, at, sequence, offline) =>
    transactionEvent(session, {
      eventType: 'Updated',
      timestamp: at,
      triggerReason: 'ChargingStateChanged',
      sequence,
      offline,
      transaction: { chargingState: suspended ? 'SuspendedEV' : 'Charging' },
    }),
  meterValues: (session, readings, sequence, offline) =>
    updatedByReadings(session, readings, sequence, offline, {
      triggerReason: 'MeterValuePeriodic',
      context: 'Sample.Periodic',
    }),
  metered: undefined,
  triggeredMeterValues: (evseId, _session, reading) => ({
    action: 'MeterValues',
    payload: { evseId, meterValue: [meterValue(reading, 'Trigger')] },
  }),
  triggeredEvent: (session, reading, sequence) =>
    updatedByReadings(session, [reading], sequence, false, { triggerReason: 'Trigger', context: 'Trigger' }),
  stop: (session, end, sequence, offline) => {
    const [stoppedReason, triggerReason] = stopReasons[end.reason];
    return transactionEvent(session, {
      eventType: 'Ended',
      timestamp: end.at,
      triggerReason,
      sequence,
      offline,
      transaction: {
        stoppedReason,
        chargingState: end.reason === 'evDisconnected' ? 'Idle' : 'EVConnected',
      },
      idToken: end.reason === 'local' ? token(session.idToken) : undefined,
      meterValue: [meterValue({ time: end.at, energyWh: end.meterStopWh }, 'Transaction.End', end.signed)],
    });
  },
  command: command201,
};

/** A simulated OCPP 2.0.1 charging station with one connector per EVSE; not connected yet. */
export function createStation201(options: StationOptions): Station {
  return new SimulatedStation(options, dialect201);
}
