import { call, operator, type Step, sends, shows } from '#gateway/test/conformance/steps.ts';

export const card = { idToken: 'CARD', type: 'ISO14443' };
export const groupCard = { idToken: 'GROUP-CARD', type: 'ISO14443' };
export const secondGroupCard = { idToken: 'GROUP-CARD-2', type: 'ISO14443' };
export const blockedCard = { idToken: 'BLOCKED', type: 'ISO14443' };
export const connector1 = { id: 1, connectorId: 1 };
export const accepted = { idTokenInfo: { status: 'Accepted' } };
export const inGroup = { idTokenInfo: { status: 'Accepted', groupIdToken: { idToken: 'GROUP' } } };

export const boots = (reason = 'PowerUp', status = 'Accepted'): Step =>
  sends(
    'BootNotification',
    { reason, chargingStation: { vendorName: 'Vendor', model: 'Model' } },
    { status, currentTime: String, interval: Number },
  );

export const reports = (connectorStatus: string, evseId = 1): Step =>
  sends('StatusNotification', { timestamp: '$now', connectorStatus, evseId, connectorId: 1 });

/** Reports a value by NotifyEvent. */
export const notifies = (component: object, variable: string, actualValue: string, more: object = {}): Step =>
  sends('NotifyEvent', {
    generatedAt: '$now',
    seqNo: 0,
    eventData: [
      {
        eventId: 1,
        timestamp: '$now',
        trigger: 'Delta',
        eventNotificationType: 'CustomMonitor',
        component,
        variable: { name: variable },
        actualValue,
        ...more,
      },
    ],
  });

export const connectorComponent = (evseId = 1) => ({
  name: 'Connector',
  evse: { id: evseId, connectorId: 1 },
});

export const authorizes = (idToken: object, answer: object = accepted): Step =>
  sends('Authorize', { idToken }, answer);

/** Values of a register, Wh, with their context. */
export const register = (wh: number, context = 'Sample.Periodic', more: object = {}) => ({
  timestamp: '$now',
  sampledValue: [{ value: wh, context, measurand: 'Energy.Active.Import.Register', ...more }],
});

type Kind = 'Started' | 'Updated' | 'Ended';
interface Details {
  /** TX by default. */
  transactionId?: string;
  state?: string;
  stopped?: string;
  idToken?: object;
  evse?: object;
  meterValue?: object[];
  remoteStartId?: string;
  reservationId?: string;
  offline?: boolean;
}

/** Sends an event of a transaction. */
export function event(
  kind: Kind,
  triggerReason: string,
  seqNo: number,
  { transactionId = 'TX', state, stopped, remoteStartId, ...details }: Details = {},
  answer: object = details.idToken === undefined ? {} : accepted,
): Step {
  const transactionInfo = {
    transactionId,
    ...(state !== undefined && { chargingState: state }),
    ...(stopped !== undefined && { stoppedReason: stopped }),
    ...(remoteStartId !== undefined && { remoteStartId }),
  };
  return sends(
    'TransactionEvent',
    { eventType: kind, timestamp: '$now', triggerReason, seqNo, transactionInfo, ...details },
    answer,
  );
}

export const registerOf = (wh: number, context: string) => [register(wh, context)];

/** A transaction that charges (part 6, state EnergyTransferStarted); its last event has the sequence number 1. */
export const charging: Step[] = [
  boots(),
  reports('Occupied'),
  event('Started', 'Authorized', 0, {
    idToken: card,
    evse: connector1,
    state: 'EVConnected',
    meterValue: registerOf(1000, 'Transaction.Begin'),
  }),
  event('Updated', 'ChargingStateChanged', 1, { state: 'Charging', evse: connector1 }),
];

export const ends = (
  triggerReason: string,
  stopped: string,
  details: Details = {},
  seqNo = 2,
  answer?: object,
): Step =>
  event(
    'Ended',
    triggerReason,
    seqNo,
    {
      stopped,
      evse: connector1,
      meterValue: registerOf(2000, 'Transaction.End'),
      ...details,
    },
    answer,
  );

export const showsSession = (session: object): Step => shows('/sessions?chargerId=$charger', [session]);
export const showsCompleted: Step = showsSession({ status: 'COMPLETED', energyKwh: 1 });
export const showsRunning: Step = showsSession({ status: 'ACTIVE' });

export const showsStatus = (status: string, more: object = {}): Step =>
  shows('', { connectors: [{ number: 1, status, ...more }, { number: 2 }] });

/** The operator triggers a message. */
export const triggers = (
  requestedMessage: string,
  payload: object = {},
  body: object = {},
  answer: object = { status: 'Accepted' },
  data: object = { accepted: true },
): Step =>
  operator(
    'trigger-message',
    { requestedMessage, ...body },
    [call('TriggerMessage', { requestedMessage, ...payload }, answer)],
    data,
  );

/** The station reports how many variables a message may have. Without a report, the limit is requested first. */
export const reportsLimit = (instance: string, component = 'DeviceDataCtrlr', value = '10'): Step =>
  sends('NotifyReport', {
    requestId: 1,
    generatedAt: '$now',
    seqNo: 0,
    reportData: [
      {
        component: { name: component },
        variable: { name: 'ItemsPerMessage', instance },
        variableAttribute: [{ value, mutability: 'ReadOnly' }],
      },
    ],
  });

/** The vehicle suspends charging (part 6, state EnergyTransferSuspended). */
export const suspends: Step = event('Updated', 'ChargingStateChanged', 2, {
  state: 'SuspendedEV',
  evse: connector1,
});

/** The driver stops and unplugs (part 6, states StopAuthorized, EVConnectedPostSession and EVDisconnected). */
export const stopsAndUnplugs: Step[] = [
  event('Updated', 'StopAuthorized', 2, { idToken: card, evse: connector1, state: 'EVConnected' }),
  reports('Available'),
  ends('EVCommunicationLost', 'EVDisconnected', { state: 'Idle' }, 3),
];
