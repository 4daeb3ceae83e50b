import { Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { callerOf } from '#api/plugins/auth.ts';
import { acceptsEvents, type StreamDeps, failStream, sendStream } from '#api/plugins/event-streams.ts';
import { cpmsErrors } from '#api/plugins/openapi/error-schemas.ts';
import { succeeded } from '#api/routes/cpms/kernel/envelope.ts';
import { networkOf, networkQuery } from '#api/routes/cpms/kernel/network-query.ts';
import { DateTime, Flag, Integer, Named, pageSizeUpTo, Str, Uuid } from '#api/routes/schema.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import { eventCursor } from '#api/services/events/event-cursors.ts';
import { type EventRequest, listEvents, streamStart } from '#api/services/events/events.service.ts';

const scope = 'cpms:read:events';
const defaultPageSize = 100;

const Event = Named('CloudEvent', {
  specversion: Type.Literal('1.0', { description: 'Version of CloudEvents.' }),
  id: Str('Identifier of the event. A repeat has the same one.', '48213'),
  source: Str(
    'Network that the event belongs to, or the system.',
    'https://api.example.org/cpms/v1/networks/123e4567-e89b-42d3-a456-426614174000',
  ),
  type: Str('Type of the event.', 'session.started'),
  subject: Str(
    'Kind and identifier of the record that the event is about.',
    'session/123e4567-e89b-42d3-a456-426614174000',
  ),
  time: DateTime('Time of the change.'),
  datacontenttype: Type.Literal('application/json', { description: 'Always JSON.' }),
  dataschema: Str(
    'Address of the JSON schema of `data`.',
    'https://api.example.org/cpms/v1/event-types/session.started/1',
  ),
  sequence: Str('Position in the order of all events: 19 digits, which sort as text.', '0000000000000048377'),
  data: Type.Object(
    {},
    { additionalProperties: true, description: 'Identifiers and states, by the schema of the type.' },
  ),
});

const EventList = Type.Object({
  data: Type.Array(Event),
  nextCursor: Str(
    'Cursor of the events after these. Present on every page: poll with it for new events.',
    'ZTQ4Mzc3',
  ),
  hasMore: Flag(
    'True when more events follow at once. A page with a filter may be empty although more follow.',
  ),
  success: Type.Literal(true, { description: 'Always true.' }),
  timestamp: DateTime('Time of the response.'),
});

const Cursor = Str(
  'Position after which the events begin: `nextCursor` of a list, or `id` of an event of a stream.',
  'ZTQ4Mzc3',
  { minLength: 1, maxLength: 100 },
);

const query = Type.Object({
  ...networkQuery,
  cursor: Type.Optional(Cursor),
  pageSize: pageSizeUpTo(1000, defaultPageSize, 'Maximum number of events per page. Ignored by a stream.'),
  type: Type.Optional(
    Type.Unsafe<string | string[]>({
      type: ['string', 'array'],
      items: { type: 'string', maxLength: 4000 },
      maxItems: 100,
      maxLength: 4000,
      description:
        'Types to filter by, separated by commas or as repeated parameters. `session.*` selects all types of a subject.',
      examples: ['session.started,session.stopped'],
    }),
  ),
  chargerId: Type.Optional(Uuid('Charger that the events concern.')),
  locationId: Type.Optional(Uuid('Location of the chargers that the events concern.')),
  sessionId: Type.Optional(Uuid('Session that the events concern.')),
  from: Type.Optional(DateTime('Earliest time of the events, inclusive. A cursor takes precedence.')),
  last: Type.Optional(
    Integer(
      'Begins with this number of the newest events that match, of the newest 10,000 events. A cursor and `from` take ' +
        'precedence.',
      40,
      { minimum: 1, maximum: 1000 },
    ),
  ),
});

const description = `With \`Accept: text/event-stream\` the response is a stream of server-sent events that stays open; otherwise it is one page.

A page begins after \`cursor\`, otherwise at \`from\`, otherwise with the \`last\` newest events, otherwise with the oldest
event. A stream begins after the header \`Last-Event-ID\`, otherwise after \`cursor\`, otherwise at \`from\`, otherwise with
the \`last\` newest events, otherwise with the next event. Its fields are \`id\` (the
cursor), \`event\` (the type) and \`data\` (the event in the JSON format of CloudEvents). A comment every 15 seconds keeps
the connection open. \`stream.ended\` is the last event of a stream that the server ends.

All readers receive the events of a network in the same order, each at least once: events with the same \`id\` are the same.
Events of the whole system are visible to unrestricted callers only.`;

/** Registers the list of events and their stream. */
export function eventRoutes(app: App, deps: ApiDeps & StreamDeps): void {
  app.route({
    method: 'GET',
    url: '/events',
    config: { scope },
    schema: {
      operationId: 'listEvents',
      summary: 'List events, oldest first, or follow them',
      description,
      headers: Type.Object({
        'last-event-id': Type.Optional(Cursor),
      }),
      querystring: query,
      response: {
        200: {
          description: 'One page of events, or their stream.',
          content: {
            'application/json': { schema: EventList },
            'text/event-stream': {
              schema: Str('Server-sent events.'),
            },
          },
        },
        ...cpmsErrors('NETWORK_NOT_FOUND', 'EVENTS_EXPIRED', 'STREAMS_EXCEEDED', 'STREAMS_UNAVAILABLE'),
      },
    },
    handler: async (request, reply) => {
      const caller = callerOf(request);
      const wanted = eventRequest(request.query);
      if (!acceptsEvents(request)) {
        const { pageSize = defaultPageSize } = request.query;
        const { events, ...page } = await listEvents(deps, caller, wanted, pageSize);
        return reply.send({ data: events, ...page, ...succeeded() });
      }
      const lastEventId = request.headers['last-event-id'];
      const start = await streamStart(deps, caller, { ...wanted, cursor: lastEventId ?? wanted.cursor });
      const stream = deps.streams.open(request, scope);
      const { eventHub } = deps;
      const subscription = eventHub.subscribe(start.query, start.after, {
        write: (text) => stream.write(text),
        fail: (error) => failStream(stream, error),
      });
      stream.attach({
        resume: () => subscription.resume(),
        cursor: () => eventCursor(subscription.position),
        closed: () => eventHub.unsubscribe(subscription),
      });
      return sendStream(reply, stream);
    },
  });
}

type Query = Parameters<typeof networkOf>[0] & {
  cursor?: string;
  type?: string | string[];
  chargerId?: string;
  locationId?: string;
  sessionId?: string;
  from?: string;
  last?: number;
};

function eventRequest(sent: Query): EventRequest {
  const { type, from } = sent;
  return {
    networkUuid: networkOf(sent),
    types: typeof type === 'string' ? [type] : (type ?? []),
    chargerUuid: sent.chargerId,
    locationUuid: sent.locationId,
    sessionUuid: sent.sessionId,
    from: from === undefined ? undefined : new Date(from),
    cursor: sent.cursor,
    last: sent.last,
  };
}
