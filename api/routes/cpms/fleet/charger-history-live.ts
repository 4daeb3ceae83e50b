import { Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { callerOf } from '#api/plugins/auth.ts';
import type { EventStream } from '#api/plugins/event-stream.ts';
import { type StreamDeps, sendStream } from '#api/plugins/event-streams.ts';
import { cpmsErrors } from '#api/plugins/openapi/error-schemas.ts';
import { operation } from '#api/routes/operation.ts';
import { idParams, Named, periodOf, Str, Uuid } from '#api/routes/schema.ts';
import { Envelope, success } from '#api/routes/cpms/kernel/envelope.ts';
import { networkOf, networkQuery } from '#api/routes/cpms/kernel/network-query.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import { countChargerMessages } from '#api/services/fleet/charger-history.service.ts';
import { requireCharger } from '#api/services/fleet/chargers.service.ts';
import { followMessages, type TailListener } from '#api/services/fleet/message-tail.service.ts';
import { messageFilter } from './charger-history.routes.ts';
import { messageView } from './charger-history-view.ts';
import { bucketFields, bucketFieldsView, bucketQuery, BucketTimes } from './meter-series-view.ts';

const params = idParams('Charger');

const MessageCounts = Named('ChargerMessageCounts', {
  chargerId: Uuid('Charger identifier.'),
  ...bucketFields,
  time: BucketTimes,
  calls: Type.Array(Type.Integer(), {
    description: 'Calls of each bucket, in both directions.',
    examples: [[12]],
  }),
  errors: Type.Array(Type.Integer(), {
    description: 'Calls of each bucket that were answered with an error, and broken frames.',
    examples: [[0]],
  }),
});

/** Registers the live tail of a charger's OCPP messages, and their number over time. */
export function messageTailRoutes(app: App, deps: ApiDeps & StreamDeps): void {
  app.route({
    method: 'GET',
    url: '/chargers/:uuid/messages/live',
    exposeHeadRoute: false,
    config: { scope: 'cpms:read:chargers' },
    schema: {
      operationId: 'followChargerMessages',
      summary: 'Follow the new OCPP messages of a charger',
      description:
        'Server-sent events `message`, each an entry of `listChargerMessages`; a call is followed by its answer. They arrive ' +
        'within a second of the answer, and are in the list about two seconds after it. An event has the `id` of its entry: a ' +
        'client opens the stream, lists two seconds later the messages `from` a minute before the last one that it has, and ' +
        'skips identifiers that it knows: none is missing or shown twice. At most 400 calls a second are sent. `dropped` has the `count` of calls that were dropped for that or ' +
        'because the client reads slowly; the list has them.',
      params,
      querystring: Type.Object({ ...networkQuery, ...messageFilter }),
      response: {
        200: {
          description: 'The new messages.',
          content: {
            'text/event-stream': {
              schema: Str('Server-sent events `message` and `dropped`.'),
            },
          },
        },
        ...cpmsErrors('CHARGER_NOT_FOUND', 'NETWORK_NOT_FOUND', 'STREAMS_EXCEEDED', 'STREAMS_UNAVAILABLE'),
      },
    },
    handler: async (request, reply) => {
      const { action, direction, callDirection, errorsOnly = false } = request.query;
      const network = networkOf(request.query);
      const charger = await requireCharger(deps, callerOf(request), request.params.uuid, network);
      const stream = deps.streams.open(request, 'cpms:read:chargers');
      await writeTail(stream, (listener) =>
        followMessages(deps.bus, charger, { action, direction, callDirection, errorsOnly }, listener),
      );
      return sendStream(reply, stream);
    },
  });

  operation(app, 'GET /chargers/:uuid/messages/counts', 'cpms:read:chargers', {
    operationId: 'countChargerMessages',
    summary: 'Count the OCPP messages of a charger over time',
    description:
      'Returns up to `points` buckets of equal length for the period. Kept for LOG_DAYS (90 by ' +
      'default).',
    params,
    querystring: Type.Object({ ...networkQuery, ...bucketQuery }),
    response: {
      200: Envelope(MessageCounts, 'Calls and errors by bucket.'),
      ...cpmsErrors('CHARGER_NOT_FOUND', 'NETWORK_NOT_FOUND'),
    },
    handler: async (request) => {
      const { chargerUuid, counts, ...range } = await countChargerMessages(deps, callerOf(request), {
        chargerUuid: request.params.uuid,
        networkUuid: networkOf(request.query),
        ...periodOf(request.query),
        points: request.query.points,
      });
      return success({
        chargerId: chargerUuid,
        ...bucketFieldsView(range),
        time: counts.map(({ at }) => at / 1000),
        calls: counts.map(({ calls }) => calls),
        errors: counts.map(({ errors }) => errors),
      });
    },
  });
}

/** Writes followed messages to a stream. While the stream is full, they are counted and left out. */
async function writeTail(
  stream: EventStream,
  follow: (listener: TailListener) => Promise<() => Promise<void>>,
): Promise<void> {
  let isFull = false;
  let missed = 0;
  let end: (() => Promise<void>) | null = null;
  let isClosed = false;
  const leave = () => void end?.().catch(() => undefined);
  const missedEvent = () => {
    const text = missed === 0 ? '' : `event: dropped\ndata: ${JSON.stringify({ count: missed })}\n\n`;
    missed = 0;
    return text;
  };
  stream.attach({
    resume: () => {
      isFull = false;
      if (missed > 0) isFull = !stream.write(missedEvent());
    },
    cursor: () => null,
    closed: () => {
      isClosed = true;
      leave();
    },
  });
  try {
    end = await follow((messages, dropped) => {
      missed += dropped;
      if (isFull) {
        missed += messages.filter(({ kind }) => kind === 'call' || kind === 'broken').length;
        return;
      }
      const count = missedEvent();
      const events = messages.map(
        (message) => `event: message\nid: ${message.id}\ndata: ${JSON.stringify(messageView(message))}\n\n`,
      );
      isFull = !stream.write(count + events.join(''));
    });
  } catch (error) {
    stream.destroy();
    throw error;
  }
  if (isClosed) leave();
}
