import { type CatalogueEntry, eventCatalogue } from '#api/services/events/catalogue/catalogue.ts';
import { type PublicEventType, publicEventTypes } from '#shared/domain/events/event-types.ts';

/** Returns the section `webhooks` of the document: the request that carries each type of event, in the JSON format of CloudEvents. */
export function webhooksOf(publicUrl: string): Record<string, object> {
  const types = Object.entries(eventCatalogue) as [PublicEventType, CatalogueEntry][];
  return Object.fromEntries(
    types.map(([type, entry]) => [type, { post: requestOf(type, entry, publicUrl) }]),
  );
}

function requestOf(type: PublicEventType, entry: CatalogueEntry, publicUrl: string): object {
  return {
    operationId: `${camelCase(type)}Event`,
    summary: `Event ${type}`,
    description: `${entry.writtenWhen} Subject: ${lowerFirst(entry.subject)}`,
    tags: ['events (operator)'],
    requestBody: {
      required: true,
      content: { 'application/cloudevents+json': { schema: envelopeOf(type, entry, publicUrl) } },
    },
    responses: { '2XX': { description: 'The receiver accepted the event.' } },
  };
}

/** JSON Schema of an event: the attributes of CloudEvents 1.0, and the data of its type. */
function envelopeOf(type: PublicEventType, { data, subject }: CatalogueEntry, publicUrl: string): object {
  const kind = type.slice(0, type.indexOf('.'));
  const uuid = '123e4567-e89b-42d3-a456-426614174000';
  const properties = {
    specversion: { const: '1.0', description: 'Version of CloudEvents.', examples: ['1.0'] },
    id: {
      type: 'string',
      description: 'Identifier of the event. A repeated delivery has the same.',
      examples: ['8412'],
    },
    source: {
      type: 'string',
      format: 'uri',
      description: 'Network of the event, or the API for an event of no network.',
      examples: [`${publicUrl}/cpms/v1/networks/${uuid}`],
    },
    type: { const: type, description: 'Type of the event.', examples: [type] },
    subject: {
      type: 'string',
      description: `${subject.replace(/\.$/, '')}: the kind, a slash and the identifier.`,
      examples: [`${kind}/${uuid}`],
    },
    time: {
      type: 'string',
      format: 'date-time',
      description: 'Time at which the event was written.',
      examples: ['2026-01-31T12:00:00.000Z'],
    },
    datacontenttype: {
      const: 'application/json',
      description: 'Format of the data.',
      examples: ['application/json'],
    },
    dataschema: {
      type: 'string',
      format: 'uri',
      description: 'JSON Schema of the data. The last part is the version of the schema.',
      examples: [`${publicUrl}/cpms/v1/event-types/${type}/${publicEventTypes[type]}`],
    },
    sequence: {
      type: 'string',
      description: 'Position in the order of reading, with leading zeros: texts sort as the numbers do.',
      examples: ['0000000000000008412'],
    },
    data,
  };
  return { type: 'object', required: Object.keys(properties), additionalProperties: false, properties };
}

function camelCase(type: string): string {
  return type.replaceAll(/[._](\w)/g, (_, letter: string) => letter.toUpperCase());
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
