import { eventCatalogue } from '#api/services/events/catalogue/catalogue.ts';
import { DomainError } from '#shared/domain/kernel/errors.ts';
import { type PublicEventType, publicEventTypes } from '#shared/domain/events/event-types.ts';

/** Type of an event in a version of its schema. */
interface EventTypeRecord {
  type: PublicEventType;
  version: number;
  /** Kind of the subject: the first word of the type. */
  subject: string;
  /** Address of the schema of the data, as in `dataschema` of an event. */
  schemaUrl: string;
}

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
    description: eventCatalogue[known.type].writtenWhen,
    ...eventCatalogue[known.type].data,
  };
}
