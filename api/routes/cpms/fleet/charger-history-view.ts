import type { Static } from 'typebox';
import { DateTime, Decimal, Flag, Integer, Named, Nullable, OneOf, Str, Uuid } from '#api/routes/schema.ts';
import {
  type IdentifiedMessage,
  messageDirections,
  messageKinds,
  type NumberedStatusEvent,
  statusEventKinds,
} from '#api/services/fleet/charger-history.service.ts';

/** OCPP frame between a charger and the gateway. */
export const Message = Named('ChargerMessage', {
  id: Str(
    'Identifier of the frame at its charger. As `cursor` it lists the frames before it.',
    'MTc2NzIyNTYwMDAwMC40Mg',
  ),
  time: DateTime('Time the gateway received or sent the frame.'),
  direction: OneOf(messageDirections, 'Direction. in: from the charger. out: to the charger.'),
  kind: OneOf(
    messageKinds,
    'Kind of frame: CALL, CALLRESULT, CALLERROR, or broken for text that is no OCPP-J message.',
  ),
  action: Nullable(
    Str('OCPP action; an answer has the action of its call. Null when unknown.', 'StatusNotification'),
  ),
  messageId: Nullable(Str('OCPP message identifier. Null for a broken frame.', '19223201')),
  payload: Str('Frame as text, with masked secrets.'),
  truncated: Flag('True when the payload was cut at 16,384 characters.'),
  latencyMs: Nullable(Decimal('Time from the call to its answer, in ms. Null for a call.')),
  errorCode: Nullable(Str('OCPP error code of a CALLERROR. Null otherwise.', 'NoError')),
  ocppVersion: Str('OCPP version of the connection.', '1.6'),
  connectionId: Uuid('Connection that carried the frame.'),
});

/** Event in the status history of a charger. */
export const StatusEvent = Named('StatusEvent', {
  time: DateTime(
    "Time of the event, by the charger's clock when it is plausible, otherwise the time of receipt.",
  ),
  receivedAt: DateTime('Time the gateway received the message.'),
  kind: OneOf(statusEventKinds, 'Kind of event. status: reported status. Others: events of the connection.'),
  connectorNumber: Nullable(
    Integer('Connector number. Null for the charger as a whole, and for a removed connector.', 1),
  ),
  evse: Nullable(Integer('EVSE number of the connector. Null for the charger as a whole.')),
  status: Nullable(Str('Reported status. Null for events of the socket.', 'Available')),
  errorCode: Nullable(Str('OCPP error code of a fault. `NoError`, or null, without a fault.', 'NoError')),
  vendorErrorCode: Nullable(Str('Error code of the manufacturer. Null if not set.', 'E-17')),
  info: Nullable(Str('Free text that the charger sent with the status. Null if not set.', 'Door open')),
  connectionId: Nullable(Uuid('Connection of the event. Null for a reported status.')),
});

export function messageView(message: IdentifiedMessage): Static<typeof Message> {
  return {
    id: message.id,
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
