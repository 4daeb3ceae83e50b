import { type Static, Type } from 'typebox';
import { DateTime, Named, Nullable, OneOf, Uuid } from '#api/routes/schema.ts';
import {
  messageDirections,
  messageKinds,
  type NumberedStatusEvent,
  statusEventKinds,
  type StoredMessage,
} from '#api/services/fleet/charger-history.ts';

/** One frame between a charger and the gateway. */
export const Message = Named('ChargerMessage', {
  time: DateTime('When the gateway received or sent it'),
  direction: OneOf(messageDirections, 'in: from the charger; out: to it'),
  kind: OneOf(messageKinds, 'CALL, CALLRESULT, CALLERROR; broken: text that is no OCPP-J message'),
  action: Nullable(
    Type.String({
      description: "An answer has its call's; null where it is not known",
      examples: ['StatusNotification'],
    }),
  ),
  messageId: Nullable(
    Type.String({ description: 'OCPP message identifier. Null for a broken frame.', examples: ['19223201'] }),
  ),
  payload: Type.String({ description: 'The text as it travelled, with secrets masked' }),
  truncated: Type.Boolean({ description: 'Whether the payload was cut at 16,384 characters' }),
  latencyMs: Nullable(Type.Number({ description: 'Of an answer: ms since its call' })),
  errorCode: Nullable(Type.String({ description: 'Of a CALLERROR', examples: ['NoError'] })),
  ocppVersion: Type.String({ description: 'OCPP version of the connection.', examples: ['1.6'] }),
  connectionId: Uuid('The socket that it travelled on'),
});

/** One event in the history of a charger's state. */
export const StatusEvent = Named('StatusEvent', {
  time: DateTime('When it happened: the time of the charger where it told a sound one'),
  receivedAt: DateTime('Time the gateway received the message.'),
  kind: OneOf(statusEventKinds, 'status: a state that was reported; the others: of the socket'),
  connectorNumber: Nullable(
    Type.Integer({ description: 'Null: the charger as a whole, or a connector that is gone', examples: [1] }),
  ),
  evse: Nullable(
    Type.Integer({ description: 'Where OCPP finds the connector; null: the charger as a whole' }),
  ),
  status: Nullable(
    Type.String({ description: 'Reported status. Null for events of the socket.', examples: ['Available'] }),
  ),
  errorCode: Nullable(
    Type.String({
      description: 'OCPP error code of a fault. `NoError`, or null, without a fault.',
      examples: ['NoError'],
    }),
  ),
  vendorErrorCode: Nullable(
    Type.String({
      description: 'Error code of the manufacturer. Null when there is none.',
      examples: ['E-17'],
    }),
  ),
  info: Nullable(
    Type.String({
      description: 'Free text that the charger sent with the status. Null when there is none.',
      examples: ['Door open'],
    }),
  ),
  connectionId: Nullable(Uuid('Of a socket')),
});

export function messageView(message: StoredMessage): Static<typeof Message> {
  return {
    time: message.time.toISOString(),
    direction: message.direction,
    kind: message.kind,
    action: message.action || null,
    messageId: message.messageId || null,
    payload: message.payload,
    truncated: message.truncated,
    latencyMs: message.latencyMs,
    errorCode: message.errorCode || null,
    ocppVersion: message.ocppVersion,
    connectionId: message.connectionId,
  };
}

export function statusEventView(event: NumberedStatusEvent): Static<typeof StatusEvent> {
  return {
    time: event.time.toISOString(),
    receivedAt: event.receivedAt.toISOString(),
    kind: event.kind,
    connectorNumber: event.connectorNumber,
    evse: event.evse === 0 ? null : event.evse,
    status: event.status || null,
    errorCode: event.errorCode || null,
    vendorErrorCode: event.vendorErrorCode || null,
    info: event.info || null,
    connectionId: event.connectionId,
  };
}
