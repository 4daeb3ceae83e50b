import { DomainError } from '#shared/domain/kernel/errors.ts';
import { type PublicEventType, publicEventTypes } from '#shared/domain/events/event-types.ts';

/** Type of an event in a version of its schema. */
export interface EventTypeRecord {
  type: PublicEventType;
  version: number;
  /** Kind of the subject: the first word of the type. */
  subject: string;
  /** Address of the schema of the data, as in `dataschema` of an event. */
  schemaUrl: string;
}

const uuidOrNull = (description: string) => ({ type: ['string', 'null'], format: 'uuid', description });

/** Fields that the data of every event has. The catalogue of data schemas adds the fields of each type here. */
const commonFields = {
  chargerId: uuidOrNull('Charger that the event concerns. Null when there is none.'),
  locationId: uuidOrNull(
    'Present location of that charger, or the location that is the subject. Null without one.',
  ),
  sessionId: uuidOrNull('Session that the event concerns. Null when there is none.'),
};

/** Returns the public types of events with their versions. */
export function listEventTypes(publicUrl: string): EventTypeRecord[] {
  return Object.entries(publicEventTypes).map(([type, version]) => ({
    type: type as PublicEventType,
    version,
    subject: type.slice(0, type.indexOf('.')),
    schemaUrl: `${publicUrl}/cpms/v1/event-types/${type}/${version}`,
  }));
}

/**
 * Returns the JSON schema of the data of a type.
 * @throws {DomainError} EVENT_TYPE_NOT_FOUND.
 */
export function eventDataSchema(publicUrl: string, type: string, version: number): Record<string, unknown> {
  const known = listEventTypes(publicUrl).find((one) => one.type === type && one.version === version);
  if (known === undefined) {
    throw new DomainError('EVENT_TYPE_NOT_FOUND', `There is no event type ${type} in version ${version}.`);
  }
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: known.schemaUrl,
    title: type,
    type: 'object',
    properties: commonFields,
    required: Object.keys(commonFields),
    additionalProperties: true,
  };
}
