import { Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { callerOf } from '#api/plugins/auth.ts';
import type { EventStream } from '#api/plugins/event-stream.ts';
import { type StreamDeps, sendStream } from '#api/plugins/event-streams.ts';
import { cpmsErrors } from '#api/plugins/openapi/error-schemas.ts';
import { networkOf, networkQuery } from '#api/routes/cpms/kernel/network-query.ts';
import { idParams, Str } from '#api/routes/schema.ts';
import type { LiveState } from '#api/services/charging/live-state.ts';
import type { WatchedCharger } from '#api/services/charging/live-watch.ts';
import { requireSession } from '#api/services/charging/sessions.service.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import { requireCharger } from '#api/services/fleet/chargers.service.ts';
import { liveChargerView, liveSessionView } from './live-view.ts';

const liveStream = (description: string) => ({
  description,
  content: { 'text/event-stream': { schema: Str('Server-sent events `live`.') } },
});

const fields =
  'A connector has `number`, `status`, `errorCode`, `statusAt`, `sessionId` and `reading`; a reading has `time`, `powerKw`, ' +
  '`currentA`, `voltageV`, `energyRegisterKwh`, `sessionEnergyKwh`, `socPercent` and `temperatureC`, null where the charger ' +
  'did not report them.';

const common =
  'The first event is the present state. Each further one is the whole state after a change, at most one a second. A client ' +
  'that reads slowly receives the newest state and misses those in between. `stream.ended` is the last event of a stream ' +
  'that the server ends.';

const errors = ['STREAMS_EXCEEDED', 'STREAMS_UNAVAILABLE'] as const;

/** Registers the streams of live values. */
export function liveRoutes(app: App, deps: ApiDeps & StreamDeps): void {
  app.route({
    method: 'GET',
    url: '/chargers/:uuid/live',
    exposeHeadRoute: false,
    config: { scope: 'cpms:read:chargers' },
    schema: {
      operationId: 'followCharger',
      summary: 'Follow the live values of a charger',
      description: `Server-sent events \`live\` with \`chargerId\`, \`isOnline\` and \`connectors\`. ${fields} ${common}`,
      params: idParams('Charger'),
      querystring: Type.Object(networkQuery),
      response: {
        200: liveStream('The states of the charger.'),
        ...cpmsErrors('CHARGER_NOT_FOUND', 'NETWORK_NOT_FOUND', ...errors),
      },
    },
    handler: async (request, reply) => {
      const charger = await requireCharger(
        deps,
        callerOf(request),
        request.params.uuid,
        networkOf(request.query),
      );
      const stream = deps.streams.open(request, 'cpms:read:chargers');
      await follow(deps, stream, charger, (state) => ({
        data: liveChargerView(charger.uuid, state),
        isLast: false,
      }));
      return sendStream(reply, stream);
    },
  });

  app.route({
    method: 'GET',
    url: '/sessions/:uuid/live',
    exposeHeadRoute: false,
    config: { scope: 'cpms:read:sessions' },
    schema: {
      operationId: 'followSession',
      summary: 'Follow the live values of a session',
      description:
        'Server-sent events `live` with `sessionId`, `chargerId`, `isOnline`, `isRunning` and `connector`. ' +
        `${fields} ${common} The stream ends with the session, after an event in which \`isRunning\` is false.`,
      params: idParams('Session'),
      response: {
        200: liveStream('The states of the session.'),
        ...cpmsErrors('SESSION_NOT_FOUND', ...errors),
      },
    },
    handler: async (request, reply) => {
      const session = await requireSession(deps, callerOf(request), request.params.uuid);
      const charger = { id: session.chargerId, uid: session.chargerUid };
      const stream = deps.streams.open(request, 'cpms:read:sessions');
      await follow(deps, stream, charger, (state) => {
        const data = liveSessionView(session, state);
        return { data, isLast: !data.isRunning };
      });
      return sendStream(reply, stream);
    },
  });
}

/** Writes the states of a charger to a stream. While the stream is full, only the newest state waits. */
async function follow(
  { liveWatches }: ApiDeps,
  stream: EventStream,
  charger: WatchedCharger,
  view: (state: LiveState) => { data: object; isLast: boolean },
): Promise<void> {
  let isFull = false;
  let waiting: LiveState | null = null;
  const show = (state: LiveState) => {
    waiting = isFull ? state : null;
    if (isFull) return;
    const { data, isLast } = view(state);
    isFull = !stream.write(`event: live\ndata: ${JSON.stringify(data)}\n\n`);
    if (isLast) stream.finish('stream.ended', { message: 'The session has ended.' });
  };
  let leave: (() => void) | null = null;
  let isClosed = false;
  stream.attach({
    resume: () => {
      isFull = false;
      if (waiting !== null) show(waiting);
    },
    cursor: () => null,
    closed: () => {
      isClosed = true;
      leave?.();
    },
  });
  try {
    leave = await liveWatches.watch(charger, show);
  } catch (error) {
    stream.destroy();
    throw error;
  }
  if (isClosed) leave();
}
