import { Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { callerOf } from '#api/plugins/auth.ts';
import { problems } from '#api/plugins/openapi/error-schemas.ts';
import {
  DateTime,
  limitUpTo,
  OneOf,
  pageOf,
  pageQuery,
  paginationOf,
  Uuid,
  idParams,
} from '#api/routes/schema.ts';
import { ItemCache, sendItem } from '#api/routes/item-cache.ts';
import { largeTotals, ListItemCache, runningAge } from '#api/routes/list-item-cache.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import { readMeterValues } from '#api/services/charging/meter-values.ts';
import {
  findCallerSessions,
  callerSessionItem,
  readCallerSessions,
  type SessionReading,
} from '#api/services/charging/sessions.ts';
import { sessionStatuses } from '#shared/domain/charging/session.ts';
import { List } from '#api/routes/emsp/kernel/lists.ts';
import { MeterValues, sendMeterValues } from './meter-values.ts';
import { SessionDetail, SessionItem, sessionView, validForMs } from './session-view.ts';

const whoSees = 'Driver keys see their own sessions, operator keys the sessions of their networks.';
const params = idParams('Session', 'id');
const defaultLimit = 1000;

const toDate = (text: string | undefined) => (text === undefined ? undefined : new Date(text));

/** Registers the routes of sessions. */
export function sessionRoutes(app: App, deps: ApiDeps): void {
  const items = new ListItemCache({
    schema: SessionItem,
    idOf: ({ session }: SessionReading) => session.id,
    view: sessionView,
    validForMs,
  });
  const single = new ItemCache({
    schema: SessionDetail,
    view: sessionView,
    validForMs,
  });

  app.route({
    method: 'GET',
    url: '/charging/sessions',
    config: { scope: 'emsp:read' },
    schema: {
      operationId: 'listSessions',
      summary: 'List sessions',
      description: `${whoSees} ${runningAge} ${largeTotals}`,
      querystring: Type.Object({
        ...pageQuery,
        status: Type.Optional(OneOf(sessionStatuses, 'Status to filter by.')),
        chargerId: Type.Optional(Uuid('Charger to filter by.')),
        locationId: Type.Optional(Uuid('Location to filter by.')),
        from: Type.Optional(DateTime('Earliest start, inclusive.')),
        to: Type.Optional(DateTime('Latest start, inclusive.')),
      }),
      response: {
        200: List(SessionItem, 'One page of sessions, newest first.'),
        ...problems('Session'),
      },
    },
    handler: async (request, reply) => {
      const { status, chargerId, locationId, from, to } = request.query;
      const filter = {
        status,
        chargerUuid: chargerId,
        locationUuid: locationId,
        from: toDate(from),
        to: toDate(to),
      };
      const page = pageOf(request.query);
      const caller = callerOf(request);
      return items.send(request, reply, [caller.networks, caller.userId], {
        async find() {
          const { rows, total } = await findCallerSessions(deps, caller, filter, page);
          return { places: rows, rest: { pagination: paginationOf(page, total) } };
        },
        read: (places) => readCallerSessions(deps, caller, places),
      });
    },
  });

  app.route({
    method: 'GET',
    url: '/charging/sessions/:id',
    config: { scope: 'emsp:read' },
    schema: {
      operationId: 'getSession',
      summary: 'Get a session with its cost breakdown',
      description: `${whoSees} A running session is priced so far. Without a tariff \`cost\` is null, never zero. ${runningAge}`,
      params,
      response: { 200: SessionDetail, ...problems('Session', 'SESSION_NOT_FOUND') },
    },
    handler: async (request, reply) => {
      const { id } = request.params;
      const { json } = await single.read(id, callerSessionItem(deps, callerOf(request), id));
      return sendItem(reply, json);
    },
  });

  app.route({
    method: 'GET',
    url: '/charging/sessions/:id/meter-values',
    config: { scope: 'emsp:read' },
    schema: {
      operationId: 'getMeterValues',
      summary: 'Get the meter values of a session',
      description: whoSees,
      params,
      querystring: Type.Object({
        limit: limitUpTo(5000, defaultLimit, 'samples'),
      }),
      response: { 200: MeterValues, ...problems('Session', 'SESSION_NOT_FOUND') },
    },
    handler: async (request, reply) => {
      const { id } = request.params;
      const { limit = defaultLimit } = request.query;
      const samples = await readMeterValues(deps, callerOf(request), id, limit);
      return sendMeterValues(reply, { sessionId: id.toLowerCase(), limit }, samples);
    },
  });
}
