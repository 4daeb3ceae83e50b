import {
  type PublicEvent,
  type PublicEventType,
  publicEventTypes,
} from '#shared/domain/events/event-types.ts';

/** Event in the JSON format of CloudEvents 1.0, with the extension `sequence`. */
export interface CloudEvent {
  specversion: '1.0';
  id: string;
  source: string;
  type: PublicEventType;
  subject: string;
  time: string;
  datacontenttype: 'application/json';
  dataschema: string;
  sequence: string;
  data: Record<string, unknown>;
}

/** Digits of a position: texts of the same length sort as the numbers do. */
const sequenceDigits = 19;

/**
 * Returns an event as it is published. Its source is the network, or the system for an event of no network.
 * @param publicUrl base address of the API, without a trailing slash.
 */
export function cloudEventOf(event: PublicEvent, publicUrl: string): CloudEvent {
  const { id, position, type, networkUuid, subjectUuid, chargerUuid, chargerUid, locationUuid, sessionUuid } =
    event;
  return {
    specversion: '1.0',
    id: String(id),
    source: networkUuid === null ? `${publicUrl}/cpms/v1` : `${publicUrl}/cpms/v1/networks/${networkUuid}`,
    type,
    subject: `${type.slice(0, type.indexOf('.'))}/${subjectUuid}`,
    time: event.occurredAt.toISOString(),
    datacontenttype: 'application/json',
    dataschema: `${publicUrl}/cpms/v1/event-types/${type}/${publicEventTypes[type]}`,
    sequence: String(position).padStart(sequenceDigits, '0'),
    data: {
      chargerId: chargerUuid,
      chargerUid,
      locationId: locationUuid,
      sessionId: sessionUuid,
      ...event.data,
    },
  };
}
