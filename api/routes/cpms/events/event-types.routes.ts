import { Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { cpmsErrors } from '#api/plugins/openapi/error-schemas.ts';
import { Envelope, success } from '#api/routes/cpms/kernel/envelope.ts';
import { operation } from '#api/routes/operation.ts';
import { Integer, Named, Str } from '#api/routes/schema.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import { eventDataSchema, listEventTypes } from '#api/services/events/event-schemas.ts';

const EventTypeItem = Named('EventType', {
  type: Str('Type of the event.', 'session.started'),
  version: Integer('Version of the schema of its data.', 1),
  subject: Str('Kind of the subject.', 'session'),
  schemaUrl: Str(
    'Address of the JSON schema of the data, as in `dataschema` of an event.',
    'https://api.example.org/cpms/v1/event-types/session.started/1',
  ),
});

/** Registers the routes of event types. */
export function eventTypeRoutes(app: App, { settings }: Pick<ApiDeps, 'settings'>): void {
  operation(app, 'GET /event-types', null, {
    operationId: 'listEventTypes',
    summary: 'List the types of events',
    description: 'Every type with its version, subject and cause, as events, streams and webhooks carry it.',
    response: { 200: Envelope(Type.Array(EventTypeItem), 'The types of events.'), ...cpmsErrors() },
    handler: async () => success(listEventTypes(settings.publicUrl)),
  });

  operation(app, 'GET /event-types/:type/:version', null, {
    operationId: 'getEventSchema',
    summary: 'Get the JSON schema of the data of an event type',
    description: '`dataschema` of an event is the URL of this operation. A published version never changes.',
    params: Type.Object({
      type: Str('Type of the event.', 'session.started', { maxLength: 100 }),
      version: Str('Version of the schema.', '1'),
    }),
    response: {
      200: Type.Object(
        {},
        { additionalProperties: true, description: 'JSON schema (2020-12) of `data` of these events.' },
      ),
      ...cpmsErrors('EVENT_TYPE_NOT_FOUND'),
    },
    handler: async (request) => {
      const { type, version } = request.params;
      return eventDataSchema(settings.publicUrl, type, Number(version));
    },
  });
}
