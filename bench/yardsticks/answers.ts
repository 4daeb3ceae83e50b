import type { Payload } from '#shared/simulator/payload.ts';

/** Answer to the messages by which a station boots and starts a session, valid in both OCPP versions. */
const accepted = {
  status: 'Accepted',
  currentTime: '2026-01-01T00:00:00.000Z',
  interval: 3600,
  transactionId: 1,
  idTagInfo: { status: 'Accepted' },
  idTokenInfo: { status: 'Accepted' },
} as const;

const empty: Payload = {};

/** Returns the answer of a yardstick that stores nothing: enough for the fleet to charge, and `{}` to readings. */
export function answerOf(action: string, payload: Payload): Payload {
  const isReading =
    action === 'MeterValues' || (action === 'TransactionEvent' && payload['eventType'] === 'Updated');
  return isReading ? empty : accepted;
}
