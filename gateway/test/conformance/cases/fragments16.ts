import { call, operator, type Step, sends, shows } from '#gateway/test/conformance/steps.ts';

export const accepted = { idTagInfo: { status: 'Accepted' } };

export const boots = (status = 'Accepted'): Step =>
  sends(
    'BootNotification',
    { chargePointVendor: 'Vendor', chargePointModel: 'Model' },
    { status, currentTime: String, interval: Number },
  );

export const reports = (status: string, connectorId = 1, errorCode = 'NoError'): Step =>
  sends('StatusNotification', { connectorId, errorCode, status, timestamp: '$now' });

export const authorizes = (idTag = 'CARD', answer: object = accepted): Step =>
  sends('Authorize', { idTag }, answer);

export const starts = (idTag = 'CARD', answer: object = accepted, more: object = {}): Step =>
  sends(
    'StartTransaction',
    { connectorId: 1, idTag, meterStart: 1000, timestamp: '$now', ...more },
    { transactionId: Number, ...answer },
  );

export const stops = (reason: string, more: object = {}, answer: object = {}): Step =>
  sends(
    'StopTransaction',
    { transactionId: '$transactionId', meterStop: 2000, timestamp: '$now', reason, ...more },
    answer,
  );

/** A transaction that charges. */
export const charging: Step[] = [boots(), reports('Preparing'), authorizes(), starts(), reports('Charging')];

export const finishes: Step[] = [reports('Finishing'), reports('Available')];

export const showsSession = (session: object): Step => shows('/sessions?chargerId=$charger', [session]);
export const showsCompleted: Step = showsSession({ status: 'COMPLETED', energyKwh: 1 });
export const showsRunning: Step = showsSession({ status: 'ACTIVE' });

export const showsStatus = (status: string, more: object = {}): Step =>
  shows('', { connectors: [{ number: 1, status, ...more }, { number: 2 }] });

/** The operator triggers a message. */
export const triggers = (
  requestedMessage: string,
  status = 'Accepted',
  more: object = {},
  payload: object = {},
): Step =>
  operator(
    'trigger-message',
    { requestedMessage, ...more },
    [call('TriggerMessage', { requestedMessage, ...payload }, { status })],
    { accepted: status === 'Accepted' },
  );
