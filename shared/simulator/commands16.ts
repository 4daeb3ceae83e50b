import type { Controls, Setting } from './dialect.ts';
import { number, type Payload, record, text } from './payload.ts';
import { type Answer, type Call, CallError } from './rpc.ts';
import type { StationOptions } from './station.ts';

/** The configuration keys of a 1.6 station (section 9.1). */
export function settings16(options: StationOptions): Map<string, Setting> {
  return new Map<string, Setting>([
    ['AuthorizeRemoteTxRequests', { value: 'false', readonly: true }],
    ['ConnectionTimeOut', { value: '60', readonly: false }],
    ['HeartbeatInterval', { value: '300', readonly: false }],
    ['MeterValueSampleInterval', { value: '60', readonly: false }],
    [
      'MeterValuesSampledData',
      {
        value: 'Energy.Active.Import.Register,Power.Active.Import,Current.Import,Voltage,SoC,Temperature',
        readonly: true,
      },
    ],
    ['NumberOfConnectors', { value: String(options.connectors), readonly: true }],
    ['StopTransactionOnInvalidId', { value: 'true', readonly: true }],
    ['SupportedFeatureProfiles', { value: 'Core,RemoteTrigger,Reservation,SmartCharging', readonly: true }],
    ['TransactionMessageAttempts', { value: '3', readonly: true }],
    ['WebSocketPingInterval', { value: '0', readonly: true }],
  ]);
}

type Command = (controls: Controls, payload: Payload) => Answer;

const status = (value: string, after?: () => void): Answer => ({ payload: { status: value }, after });

const commands: Record<string, Command> = {
  RemoteStartTransaction(controls, payload) {
    const idTag = text(payload, 'idTag');
    if (idTag === undefined) return status('Rejected');
    const connector = controls.freeConnector(number(payload, 'connectorId'), idTag);
    if (connector === undefined) return status('Rejected');
    return status('Accepted', () => controls.startRemotely(connector, idTag));
  },

  RemoteStopTransaction(controls, payload) {
    const session = controls.sessions().find(({ transactionId }) => transactionId === payload.transactionId);
    if (session === undefined) return status('Rejected');
    return status('Accepted', () => controls.stop(session, 'remote'));
  },

  Reset(controls, payload) {
    const reason = payload.type === 'Hard' ? 'hardReset' : 'softReset';
    return status('Accepted', () => controls.reset(reason));
  },

  TriggerMessage(controls, payload) {
    const connector = number(payload, 'connectorId') ?? 0;
    if (connector > controls.connectors) return status('Rejected');
    const send = triggered(controls, String(payload.requestedMessage), connector);
    return send === undefined ? status('NotImplemented') : status('Accepted', send);
  },

  ChangeAvailability(controls, payload) {
    const connector = number(payload, 'connectorId') ?? 0;
    if (connector > controls.connectors) return status('Rejected');
    const { pending, apply } = controls.changeAvailability(connector, payload.type === 'Operative');
    return status(pending ? 'Scheduled' : 'Accepted', apply);
  },

  GetConfiguration(controls, payload) {
    const asked = Array.isArray(payload.key) && payload.key.length > 0 ? payload.key.map(String) : undefined;
    const known = [...controls.settings].filter(([key]) => asked === undefined || asked.includes(key));
    return {
      payload: {
        configurationKey: known.map(([key, setting]) => ({ key, ...setting })),
        unknownKey: asked?.filter((key) => !controls.settings.has(key)),
      },
    };
  },

  ChangeConfiguration(controls, payload) {
    const key = String(payload.key);
    const setting = controls.settings.get(key);
    const value = String(payload.value);
    if (setting === undefined) return status('NotSupported');
    // All keys that can be written here are seconds.
    if (setting.readonly || !/^\d+$/.test(value)) return status('Rejected');
    setting.value = value;
    return status('Accepted', () => {
      if (key === 'HeartbeatInterval') controls.heartbeatEvery(Number(value));
    });
  },

  UnlockConnector(controls, payload) {
    const connector = number(payload, 'connectorId') ?? 0;
    if (connector < 1 || connector > controls.connectors) return status('NotSupported');
    const session = controls.session(connector);
    return status('Unlocked', () => {
      if (session !== undefined) controls.stop(session, 'unlock');
    });
  },

  ReserveNow(controls, payload) {
    const id = number(payload, 'reservationId');
    const idToken = text(payload, 'idTag');
    if (id === undefined || idToken === undefined) return status('Rejected');
    const expiresAt = new Date(String(payload.expiryDate));
    const kept = controls.reserve(number(payload, 'connectorId') ?? 0, { id, idToken, expiresAt });
    return status(kept.status, kept.apply);
  },

  CancelReservation(controls, payload) {
    const end = controls.cancelReservation(number(payload, 'reservationId') ?? 0);
    return end === undefined ? status('Rejected') : status('Accepted', end);
  },

  SetChargingProfile: (controls, payload) =>
    status(
      controls.setProfile(number(payload, 'connectorId') ?? 0, record(payload, 'csChargingProfiles'))
        ? 'Accepted'
        : 'Rejected',
    ),

  ClearChargingProfile(controls, payload) {
    const isCleared = controls.clearProfiles({
      id: number(payload, 'id'),
      connector: number(payload, 'connectorId'),
      purpose: text(payload, 'chargingProfilePurpose'),
      level: number(payload, 'stackLevel'),
    });
    return status(isCleared ? 'Accepted' : 'Unknown');
  },

  DataTransfer: (controls, payload) =>
    status(payload.vendorId === controls.vendor ? 'Accepted' : 'UnknownVendorId'),

  ClearCache: () => status('Accepted'),

  // A simulated station has nothing to download with.
  UpdateFirmware: (controls) => ({
    payload: {},
    after: () => {
      for (const progress of ['Downloading', 'DownloadFailed'])
        controls.send({ action: 'FirmwareStatusNotification', payload: { status: progress } });
    },
  }),
};

function triggered(controls: Controls, message: string, connector: number): (() => void) | undefined {
  const idle = (action: string) => () => controls.send({ action, payload: { status: 'Idle' } });
  const messages: Record<string, () => void> = {
    BootNotification: () => controls.triggerBoot(),
    DiagnosticsStatusNotification: idle('DiagnosticsStatusNotification'),
    FirmwareStatusNotification: idle('FirmwareStatusNotification'),
    Heartbeat: () => controls.send({ action: 'Heartbeat', payload: {} }),
    MeterValues: () => controls.triggerMeterValues(connector),
    StatusNotification: () => controls.triggerStatus(connector),
  };
  return messages[message];
}

/** Answers a 1.6 command; what is not implemented is a NotImplemented CALLERROR. */
export function command16(controls: Controls, call: Call): Answer {
  const command = Object.hasOwn(commands, call.action) ? commands[call.action] : undefined;
  if (command === undefined) throw new CallError('NotImplemented', call.action);
  return command(controls, call.payload);
}
