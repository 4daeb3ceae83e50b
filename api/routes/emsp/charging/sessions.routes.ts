import { Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { callerOf } from '#api/plugins/auth.ts';
import { problems } from '#api/plugins/openapi/error-schemas.ts';
import { operation } from '#api/routes/operation.ts';
import {
  DateTime,
  limitUpTo,
  OneOf,
  pageOf,
  pageQuery,
  Uuid,
  idParams,
  largeTotals,
} from '#api/routes/schema.ts';
import { SharedPages } from '#api/routes/shared-pages.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import { readMeterValues } from '#api/services/charging/meter-values.service.ts';
import { listCallerSessions, readCallerSession } from '#api/services/charging/sessions.service.ts';
import { sessionStatuses } from '#shared/domain/charging/session.ts';
import { List, listPage } from '#api/routes/emsp/kernel/lists.ts';
import { MeterValues, sendMeterValues } from './meter-values.routes.ts';
import { detailView, SessionDetail, SessionItem, sessionView } from './session-view.ts';

const whoSees = 'Driver keys see their own sessions, operator keys the sessions of their networks.';
const params = idParams('Session', 'id');
const defaultLimit = 1000;

const toDate = (text: string | undefined) => (text === undefined ? undefined : new Date(text));

/** Registers the routes of sessions. */
export function sessionRoutes(app: App, deps: ApiDeps): void {
  const list = List(SessionItem, 'One page of sessions, newest first.');
  const pages = new SharedPages(list);

  operation(app, 'GET /charging/sessions', 'emsp:read', {
    operationId: 'listSessions',
    summary: 'List sessions',
    description: `${whoSees} ${largeTotals}`,
    querystring: Type.Object({
      ...pageQuery,
      status: Type.Optional(OneOf(sessionStatuses, 'Status to filter by.')),
      chargerId: Type.Optional(Uuid('Charger to filter by.')),
      locationId: Type.Optional(Uuid('Location to filter by.')),
      from: Type.Optional(DateTime('Earliest start, inclusive.')),
      to: Type.Optional(DateTime('Latest start, inclusive.')),
    }),
    response: {
      200: list,
      ...problems('Session'),
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
      return pages.send(request, reply, [caller.networks, caller.userId], async () => {
        const { rows, total } = await listCallerSessions(deps, caller, filter, page);
        return listPage(rows.map(sessionView), page, total);
      });
    },
  });

  operation(app, 'GET /charging/sessions/:id', 'emsp:read', {
    operationId: 'getSession',
    summary: 'Get a session with its cost breakdown',
    description: `${whoSees} A running session is priced so far. Without a tariff \`cost\` is null, never zero.`,
    params,
    response: { 200: SessionDetail, ...problems('Session', 'SESSION_NOT_FOUND') },
    handler: async (request) =>
      detailView(deps, await readCallerSession(deps, callerOf(request), request.params.id)),
  });

  operation(app, 'GET /charging/sessions/:id/meter-values', 'emsp:read', {
    operationId: 'getMeterValues',
    summary: 'Get the meter values of a session',
    description: whoSees,
    params,
    querystring: Type.Object({
      limit: limitUpTo(5000, defaultLimit, 'samples'),
    }),
    response: { 200: MeterValues, ...problems('Session', 'SESSION_NOT_FOUND') },
    handler: async (request, reply) => {
      const { id } = request.params;
      const { limit = defaultLimit } = request.query;
      const samples = await readMeterValues(deps, callerOf(request), id, limit);
      return sendMeterValues(reply, { sessionId: id.toLowerCase(), limit }, samples);
    },
  });
}
