import {
  call,
  type Case,
  command,
  connects,
  operator,
  shows,
  type Step,
  tested,
} from '#gateway/test/conformance/steps.ts';
import {
  authorizes,
  boots,
  card,
  charging,
  connector1,
  ends,
  event,
  registerOf,
  reports,
  showsCompleted,
  showsRunning,
  showsSession,
  stopsAndUnplugs,
  suspends,
} from './fragments201.ts';

const authorized = { idToken: card, evse: connector1 };
const plugged = { state: 'EVConnected', evse: connector1 };
const charges = (seqNo: number): Step =>
  event('Updated', 'ChargingStateChanged', seqNo, { state: 'Charging', evse: connector1 });

/** Starts of a transaction, by the event that begins it. */
const starts: [id: string, requires: string, ...steps: Step[]][] = [
  [
    'TC_E_03',
    'starts a transaction when the cable is plugged in before the driver is authorized',
    reports('Occupied'),
    event('Started', 'CablePluggedIn', 0, plugged),
    authorizes(card),
    event('Updated', 'Authorized', 1, { ...authorized, state: 'EVConnected' }),
    charges(2),
  ],
  [
    'TC_E_04',
    'starts a transaction when the driver is authorized before the cable is plugged in',
    authorizes(card),
    event('Started', 'Authorized', 0, { ...authorized, state: 'Idle' }),
    reports('Occupied'),
    event('Updated', 'CablePluggedIn', 1, plugged),
    charges(2),
  ],
  [
    'TC_E_09',
    'starts a transaction when the vehicle is connected',
    reports('Occupied'),
    event('Started', 'CablePluggedIn', 0, plugged),
  ],
  [
    'TC_E_10',
    'starts a transaction when the driver is authorized',
    authorizes(card),
    event('Started', 'Authorized', 0, authorized),
  ],
  [
    'TC_E_11',
    'starts a transaction with a signed meter value',
    authorizes(card),
    event('Started', 'SignedDataReceived', 0, {
      ...authorized,
      meterValue: [
        {
          timestamp: '$now',
          sampledValue: [
            {
              value: 1000,
              context: 'Transaction.Begin',
              signedMeterValue: {
                signedMeterData: 'b3BhcXVl',
                signingMethod: 'ECDSA-secp256r1-SHA256',
                encodingMethod: 'OCMF',
                publicKey: 'b2NhOmFzbg==',
              },
            },
          ],
        },
      ],
    }),
    charges(1),
  ],
  [
    'TC_E_01',
    'starts a transaction when the power path is closed',
    authorizes(card),
    reports('Occupied'),
    event('Started', 'ChargingStateChanged', 0, { ...authorized, state: 'SuspendedEVSE' }),
    charges(1),
  ],
  [
    'TC_E_02',
    'starts a transaction when energy is transferred',
    authorizes(card),
    reports('Occupied'),
    event('Started', 'ChargingStateChanged', 0, { ...authorized, state: 'Charging' }),
  ],
  [
    'TC_E_12',
    'starts a transaction when the parking bay is occupied',
    event('Started', 'EVDetected', 0, { evse: connector1 }),
    authorizes(card),
    event('Updated', 'Authorized', 1, authorized),
  ],
  [
    'TC_E_38',
    'keeps a transaction running while the vehicle is not ready',
    authorizes(card),
    event('Started', 'Authorized', 0, authorized),
    reports('Occupied'),
    event('Updated', 'CablePluggedIn', 1, plugged),
    suspends,
  ],
];

/** Ends of a transaction, by the event that ends it. */
const stops: [id: string, requires: string, ...steps: Step[]][] = [
  ['TC_E_14', 'ends a transaction when the cable is unplugged at the station', ...stopsAndUnplugs],
  [
    'TC_E_20',
    'ends a transaction when the cable is unplugged at the vehicle',
    suspends,
    reports('Available'),
    ends('EVCommunicationLost', 'EVDisconnected', { state: 'Idle' }, 3),
  ],
  ['TC_E_15', 'ends a transaction when the driver stops it', ends('StopAuthorized', 'Local')],
  [
    'TC_E_21',
    'ends a transaction on request of the operator',
    operator('remote-stop', undefined, [call('RequestStopTransaction', { transactionId: 'TX' })], {
      accepted: true,
    }),
    ends('RemoteStop', 'Remote'),
  ],
  [
    'TC_E_17',
    'ends a transaction that a disconnected vehicle deauthorizes',
    suspends,
    ends('EVCommunicationLost', 'EVDisconnected', { state: 'Idle' }, 3),
  ],
  [
    'TC_E_07',
    'ends a transaction when the power path opens',
    ends('StopAuthorized', 'Local', { idToken: card, state: 'EVConnected' }),
  ],
  [
    'TC_E_08',
    'ends a transaction when the stop ends the energy transfer',
    event('Updated', 'StopAuthorized', 2, { idToken: card, evse: connector1 }),
    ends('ChargingStateChanged', 'Local', { state: 'EVConnected' }, 3),
  ],
  [
    'TC_E_22',
    'ends a transaction when the vehicle suspends charging',
    ends('ChargingStateChanged', 'StoppedByEV', { state: 'SuspendedEV' }),
  ],
  [
    'TC_E_19',
    'ends a transaction when the parking bay is left',
    event('Updated', 'StopAuthorized', 2, { idToken: card, evse: connector1, state: 'EVConnected' }),
    event('Updated', 'EVCommunicationLost', 3, { state: 'Idle', evse: connector1 }),
    reports('Available'),
    ends('EVDeparted', 'Local', {}, 4),
  ],
];

const asksStatus = (payload: object, answer: object): Step =>
  command('GetTransactionStatus', payload, answer, { result: answer });
const later = (seqNo: number): Step =>
  event('Updated', 'MeterValuePeriodic', seqNo, {
    evse: connector1,
    offline: true,
    meterValue: registerOf(1500, 'Sample.Periodic'),
  });

/** Checks of a transaction: E14. */
const checks: Case[] = [
  tested(
    'TC_E_29',
    'checks a running transaction with queued messages',
    ...charging,
    connects(),
    asksStatus({ transactionId: 'TX' }, { ongoingIndicator: true, messagesInQueue: true }),
    later(2),
    later(3),
    showsRunning,
  ),
  tested(
    'TC_E_30',
    'checks a running transaction without queued messages',
    ...charging,
    asksStatus({ transactionId: 'TX' }, { ongoingIndicator: true, messagesInQueue: false }),
    showsRunning,
  ),
  tested(
    'TC_E_31',
    'checks an ended transaction with queued messages, which arrive after its end',
    ...charging,
    connects(),
    reports('Available'),
    ends('EVCommunicationLost', 'EVDisconnected', { state: 'Idle', offline: true }, 4),
    asksStatus({ transactionId: 'TX' }, { ongoingIndicator: false, messagesInQueue: true }),
    event('Updated', 'StopAuthorized', 2, { evse: connector1, offline: true }),
    event('Updated', 'ChargingStateChanged', 3, {
      state: 'EVConnected',
      evse: connector1,
      offline: true,
    }),
    showsCompleted,
  ),
  tested(
    'TC_E_33',
    'checks a station with queued messages',
    ...charging,
    connects(),
    asksStatus({}, { messagesInQueue: true }),
    later(2),
  ),
  tested(
    'TC_E_34',
    'checks a station without queued messages',
    ...charging,
    asksStatus({}, { messagesInQueue: false }),
  ),
];

/** E: transactions, core. */
export const transactions: Case[] = [
  ...starts.map(([id, requires, ...steps]) => tested(id, requires, boots(), ...steps, showsRunning)),
  ...stops.map(([id, requires, ...steps]) => tested(id, requires, ...charging, ...steps, showsCompleted)),
  tested(
    'TC_E_16',
    'refuses the invalid token of a transaction, which the station then ends',
    boots(),
    event(
      'Started',
      'Authorized',
      0,
      { idToken: { idToken: 'UNKNOWN', type: 'ISO14443' }, evse: connector1 },
      { idTokenInfo: { status: /^(Invalid|Unknown)$/ } },
    ),
    event('Ended', 'Deauthorized', 1, { stopped: 'DeAuthorized', evse: connector1 }),
    showsSession({ status: 'COMPLETED' }),
  ),
  tested(
    'TC_E_39',
    'ends a transaction when the cable is not plugged in in time',
    boots(),
    authorizes(card),
    event('Started', 'Authorized', 0, authorized),
    event('Ended', 'EVConnectTimeout', 1, { stopped: 'Timeout', evse: connector1 }),
    showsSession({ status: 'COMPLETED', energyKwh: 0 }),
  ),
  tested(
    'TC_E_26',
    'keeps a transaction running while its cable is unplugged at the vehicle',
    ...charging,
    suspends,
    event('Updated', 'EVCommunicationLost', 3, { state: 'Idle', evse: connector1 }),
    reports('Available'),
    showsRunning,
    event('Updated', 'CablePluggedIn', 4, plugged),
    charges(5),
    showsRunning,
  ),
  tested(
    'TC_E_53',
    'accepts 0 as the first sequence number of each transaction',
    ...charging,
    ...stopsAndUnplugs,
    event('Started', 'Authorized', 0, { ...authorized, transactionId: 'TX-2' }),
    event('Ended', 'EVCommunicationLost', 1, {
      transactionId: 'TX-2',
      stopped: 'EVDisconnected',
      evse: connector1,
    }),
    shows('/sessions?chargerId=$charger', [{ status: 'COMPLETED' }, { status: 'COMPLETED' }]),
  ),
  ...checks,
];
