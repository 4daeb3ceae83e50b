import { call, type Case, operator, sends, type Step, tested } from '#gateway/test/conformance/steps.ts';
import {
  authorizes,
  boots,
  card,
  charging,
  connector1,
  event,
  register,
  registerOf,
  reports,
  showsRunning,
  triggers,
} from './fragments201.ts';

/** The operator starts a transaction at the first EVSE. */
const startsRemotely = (answer: object = {}): Step =>
  operator(
    'remote-start',
    { idTag: 'CARD', connectorNumber: 1 },
    [
      call(
        'RequestStartTransaction',
        { idToken: { idToken: 'CARD' }, evseId: 1, remoteStartId: Number },
        { status: 'Accepted', ...answer },
      ),
    ],
    { accepted: true },
  );
const authorized = { idToken: card, evse: connector1, remoteStartId: '$remoteStartId' };
const plugs = [
  reports('Occupied'),
  event('Updated', 'CablePluggedIn', 1, { state: 'EVConnected', evse: connector1 }),
];
const charges = event('Updated', 'ChargingStateChanged', 2, { state: 'Charging', evse: connector1 });

const first = { evse: { id: 1 } };
const meterValues = (evseId: number): Step =>
  sends('MeterValues', { evseId, meterValue: [register(1500, 'Trigger')] });
const triggeredEvent = event('Updated', 'Trigger', 2, {
  evse: connector1,
  state: 'Charging',
  meterValue: registerOf(1500, 'Trigger'),
});

/** F: remote control, core. */
export const remoteControl: Case[] = [
  tested(
    'TC_F_01',
    'starts a transaction remotely when the cable is plugged in',
    boots(),
    reports('Occupied'),
    event('Started', 'CablePluggedIn', 0, { state: 'EVConnected', evse: connector1 }),
    startsRemotely({ transactionId: 'TX' }),
    event('Updated', 'RemoteStart', 1, authorized),
    charges,
    showsRunning,
  ),
  tested(
    'TC_F_02',
    'starts a transaction remotely and authorizes the token again',
    boots(),
    startsRemotely(),
    authorizes(card),
    event('Started', 'RemoteStart', 0, authorized),
    ...plugs,
    charges,
    showsRunning,
  ),
  tested(
    'TC_F_03',
    'starts a transaction remotely without another authorization',
    boots(),
    startsRemotely(),
    event('Started', 'RemoteStart', 0, authorized),
    ...plugs,
    charges,
    showsRunning,
  ),
  tested(
    'TC_F_04',
    'accepts that the driver of a remote start does not plug in the cable in time',
    boots(),
    startsRemotely(),
    event('Started', 'RemoteStart', 0, authorized),
    event('Updated', 'EVConnectTimeout', 1, { evse: connector1 }),
    showsRunning,
  ),
  tested(
    'TC_F_06',
    'unlocks a connector',
    boots(),
    operator(
      'unlock-connector',
      { connectorNumber: 1 },
      [call('UnlockConnector', { evseId: 1, connectorId: 1 }, { status: 'Unlocked' })],
      { accepted: true },
    ),
  ),
  tested(
    'TC_F_11',
    'triggers meter values of an EVSE',
    boots(),
    triggers('MeterValues', { evse: { id: 1 } }, { connectorNumber: 1 }),
    meterValues(1),
  ),
  tested(
    'TC_F_12',
    'triggers meter values of all EVSEs',
    boots(),
    triggers('MeterValues', { evse: undefined }),
    meterValues(1),
    meterValues(2),
  ),
  tested(
    'TC_F_13',
    'triggers a transaction event of an EVSE',
    ...charging,
    triggers('TransactionEvent', first, { connectorNumber: 1 }),
    triggeredEvent,
  ),
  tested(
    'TC_F_14',
    'triggers a transaction event of all EVSEs',
    ...charging,
    triggers('TransactionEvent', { evse: undefined }),
    triggeredEvent,
  ),
  tested(
    'TC_F_15',
    'triggers the status of the log upload',
    boots(),
    triggers('LogStatusNotification'),
    sends('LogStatusNotification', { status: 'Idle' }),
  ),
  tested(
    'TC_F_18',
    'triggers the status of the firmware',
    boots(),
    triggers('FirmwareStatusNotification'),
    sends('FirmwareStatusNotification', { status: 'Idle' }),
  ),
  tested(
    'TC_F_20',
    'triggers a heartbeat',
    boots(),
    triggers('Heartbeat'),
    sends('Heartbeat', {}, { currentTime: String }),
  ),
  tested(
    'TC_F_23',
    'triggers the status of an available connector',
    boots(),
    triggers('StatusNotification', { evse: connector1 }, { connectorNumber: 1 }),
    reports('Available'),
  ),
  tested(
    'TC_F_24',
    'triggers the status of an occupied connector',
    ...charging,
    triggers('StatusNotification', { evse: connector1 }, { connectorNumber: 1 }),
    reports('Occupied'),
  ),
  tested(
    'TC_F_27',
    'reports that the station does not implement a trigger',
    boots(),
    triggers('SignCombinedCertificate', {}, {}, { status: 'NotImplemented' }, { accepted: false }),
  ),
];
