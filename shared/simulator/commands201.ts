import type { Controls, Setting } from './dialect.ts';
import { number, type Payload, record, records, text } from './payload.ts';
import { type Answer, type Call, CallError } from './rpc.ts';
import type { StationOptions } from './station.ts';

/** The variables of a 2.0.1 station, by `Component.Variable` (part 2, appendix 3). */
export function settings201(options: StationOptions): Map<string, Setting> {
  return new Map<string, Setting>([
    ['AuthCtrlr.AuthorizeRemoteStart', { value: 'false', readonly: true }],
    ['ChargingStation.AvailabilityState', { value: 'Available', readonly: true }],
    ['ChargingStation.Model', { value: options.model, readonly: true }],
    ['ChargingStation.VendorName', { value: options.vendor, readonly: true }],
    ['OCPPCommCtrlr.HeartbeatInterval', { value: '300', readonly: false }],
    ['OCPPCommCtrlr.WebSocketPingInterval', { value: '0', readonly: true }],
    ['SampledDataCtrlr.TxUpdatedInterval', { value: '60', readonly: false }],
    ['TxCtrlr.EVConnectionTimeOut', { value: '60', readonly: false }],
    ['TxCtrlr.TxStartPoint', { value: 'PowerPathClosed', readonly: true }],
    ['TxCtrlr.TxStopPoint', { value: 'PowerPathClosed', readonly: true }],
  ]);
}

type Command = (controls: Controls, payload: Payload) => Answer;

const status = (value: string, after?: () => void): Answer => ({ payload: { status: value }, after });

const commands: Record<string, Command> = {
  RequestStartTransaction(controls, payload) {
    const idToken = text(record(payload, 'idToken'), 'idToken');
    if (idToken === undefined) return status('Rejected');
    const evse = controls.freeConnector(number(payload, 'evseId'), idToken);
    if (evse === undefined) return status('Rejected');
    return status('Accepted', () => controls.startRemotely(evse, idToken, number(payload, 'remoteStartId')));
  },

  RequestStopTransaction(controls, payload) {
    const session = controls.sessions().find(({ transactionId }) => transactionId === payload.transactionId);
    if (session === undefined) return status('Rejected');
    return status('Accepted', () => controls.stop(session, 'remote'));
  },

  Reset(controls, payload) {
    // A single EVSE cannot be reset here (AllowReset is false).
    if (payload.evseId !== undefined) return status('Rejected');
    if (payload.type === 'OnIdle' && controls.sessions().length > 0) {
      return status('Scheduled', () => controls.resetWhenIdle());
    }
    return status('Accepted', () => controls.reset('hardReset'));
  },

  TriggerMessage(controls, payload) {
    const evse = number(record(payload, 'evse'), 'id') ?? 0;
    if (evse > controls.connectors) return status('Rejected');
    const send = triggered(controls, String(payload.requestedMessage), evse);
    return send === undefined ? status('NotImplemented') : status('Accepted', send);
  },

  ChangeAvailability(controls, payload) {
    const evse = number(record(payload, 'evse'), 'id') ?? 0;
    if (evse > controls.connectors) return status('Rejected');
    const operative = payload.operationalStatus === 'Operative';
    const { pending, apply } = controls.changeAvailability(evse, operative);
    return status(pending ? 'Scheduled' : 'Accepted', apply);
  },

  GetVariables: (controls, payload) => ({
    payload: {
      getVariableResult: records(payload, 'getVariableData').map((asked) => getOne(controls, asked)),
    },
  }),

  SetVariables(controls, payload) {
    const results = records(payload, 'setVariableData').map((wanted) => setOne(controls, wanted));
    const interval = controls.settings.get(heartbeatKey)?.value;
    const changed = results.some(({ key, accepted }) => accepted && key === heartbeatKey);
    return {
      payload: { setVariableResult: results.map(({ result }) => result) },
      after: () => {
        if (changed) controls.heartbeatEvery(Number(interval));
      },
    };
  },

  UnlockConnector(controls, payload) {
    const evse = number(payload, 'evseId') ?? 0;
    if (evse < 1 || evse > controls.connectors || payload.connectorId !== 1)
      return status('UnknownConnector');
    return status(controls.session(evse) === undefined ? 'Unlocked' : 'OngoingAuthorizedTransaction');
  },

  ReserveNow(controls, payload) {
    const id = number(payload, 'id');
    const idToken = text(record(payload, 'idToken'), 'idToken');
    if (id === undefined || idToken === undefined) return status('Rejected');
    const expiresAt = new Date(String(payload.expiryDateTime));
    const kept = controls.reserve(number(payload, 'evseId') ?? 0, { id, idToken, expiresAt });
    return status(kept.status, kept.apply);
  },

  CancelReservation(controls, payload) {
    const end = controls.cancelReservation(number(payload, 'reservationId') ?? 0);
    return end === undefined ? status('Rejected') : status('Accepted', end);
  },

  SetChargingProfile: (controls, payload) =>
    status(
      controls.setProfile(number(payload, 'evseId') ?? 0, record(payload, 'chargingProfile'))
        ? 'Accepted'
        : 'Rejected',
    ),

  ClearChargingProfile(controls, payload) {
    const criteria = record(payload, 'chargingProfileCriteria');
    const isCleared = controls.clearProfiles({
      id: number(payload, 'chargingProfileId'),
      connector: number(criteria, 'evseId'),
      purpose: text(criteria, 'chargingProfilePurpose'),
      level: number(criteria, 'stackLevel'),
    });
    return status(isCleared ? 'Accepted' : 'Unknown');
  },

  DataTransfer: (controls, payload) =>
    status(payload.vendorId === controls.vendor ? 'Accepted' : 'UnknownVendorId'),

  ClearCache: () => status('Accepted'),

  // A simulated station has nothing to download with.
  UpdateFirmware: (controls, { requestId }) =>
    status('Accepted', () => {
      for (const progress of ['Downloading', 'DownloadFailed'])
        controls.send({ action: 'FirmwareStatusNotification', payload: { status: progress, requestId } });
    }),
};

const heartbeatKey = 'OCPPCommCtrlr.HeartbeatInterval';

/** The setting a GetVariables or SetVariables entry names, or the reason why it is missing. */
function find(controls: Controls, entry: Payload): { key: string; setting?: Setting; problem: string } {
  const component = String(record(entry, 'component').name);
  const variable = record(entry, 'variable');
  const instance = text(variable, 'instance');
  const key = `${component}.${String(variable.name)}${instance === undefined ? '' : `[${instance}]`}`;
  const setting = controls.settings.get(key);
  if (setting === undefined) {
    const known = [...controls.settings.keys()].some((name) => name.startsWith(`${component}.`));
    return { key, problem: known ? 'UnknownVariable' : 'UnknownComponent' };
  }
  if ((entry.attributeType ?? 'Actual') !== 'Actual') return { key, problem: 'NotSupportedAttributeType' };
  return { key, setting, problem: '' };
}

function echo(entry: Payload, attributeStatus: string, attributeValue?: string): Payload {
  const { component, variable, attributeType } = entry;
  return { attributeStatus, attributeType, attributeValue, component, variable };
}

function getOne(controls: Controls, asked: Payload): Payload {
  const { setting, problem } = find(controls, asked);
  return setting === undefined ? echo(asked, problem) : echo(asked, 'Accepted', setting.value);
}

function setOne(controls: Controls, wanted: Payload): { key: string; accepted: boolean; result: Payload } {
  const { key, setting, problem } = find(controls, wanted);
  const value = String(wanted.attributeValue);
  if (setting === undefined) return { key, accepted: false, result: echo(wanted, problem) };
  // All variables that can be written here are seconds.
  const accepted = !setting.readonly && /^\d+$/.test(value);
  if (accepted) setting.value = value;
  return { key, accepted, result: echo(wanted, accepted ? 'Accepted' : 'Rejected') };
}

function triggered(controls: Controls, message: string, evse: number): (() => void) | undefined {
  const idle = (action: string) => () => controls.send({ action, payload: { status: 'Idle' } });
  const messages: Record<string, () => void> = {
    BootNotification: () => controls.triggerBoot(),
    FirmwareStatusNotification: idle('FirmwareStatusNotification'),
    Heartbeat: () => controls.send({ action: 'Heartbeat', payload: {} }),
    LogStatusNotification: idle('LogStatusNotification'),
    MeterValues: () => controls.triggerMeterValues(evse),
    StatusNotification: () => controls.triggerStatus(evse),
    TransactionEvent: () =>
      controls.triggerTransactionEvents(
        controls.sessions().filter(({ connector }) => evse === 0 || connector === evse),
      ),
  };
  return messages[message];
}

/** Answers a 2.0.1 command; what is not implemented is a NotImplemented CALLERROR. */
export function command201(controls: Controls, call: Call): Answer {
  const command = Object.hasOwn(commands, call.action) ? commands[call.action] : undefined;
  if (command === undefined) throw new CallError('NotImplemented', call.action);
  return command(controls, call.payload);
}
