import { Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { callerOf } from '#api/plugins/auth.ts';
import { problems } from '#api/plugins/openapi/error-schemas.ts';
import { DateTime, OneOf, pageOf, pageQuery, paginationOf, Uuid } from '#api/routes/schema.ts';
import { KeptItems, runningAge } from '#api/routes/kept-items.ts';
import { sendKept } from '#api/routes/kept-list.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import { readMeterValues } from '#api/services/charging/meter-values.ts';
import {
  findCallerSessions,
  readCallerSession,
  readCallerSessions,
  type SessionReading,
} from '#api/services/charging/sessions.ts';
import { sessionStatuses } from '#shared/domain/charging/session.ts';
import { largeTotals, List } from '#api/routes/emsp/kernel/lists.ts';
import { MeterValues, sendMeterValues } from './meter-values.ts';
import { SessionDetail, SessionItem, sessionView } from './session-view.ts';

const whoSees = 'Driver keys see their own sessions, operator keys those of their networks.';
const params = Type.Object({ id: Uuid('Session identifier.') });
const defaultLimit = 1000;

const toDate = (text: string | undefined) => (text === undefined ? undefined : new Date(text));

/** Charging sessions as drivers see them. */
export function sessionRoutes(app: App, deps: ApiDeps): void {
  const items = new KeptItems({
    schema: SessionItem,
    idOf: ({ session }: SessionReading) => session.id,
    view: sessionView,
    isFinal: ({ session }) => session.endedAt !== null,
  });

  app.route({
    method: 'GET',
    url: '/charging/sessions',
    config: { scope: 'emsp:read' },
    schema: {
      tags: ['charging'],
      operationId: 'listSessions',
      summary: 'The charging sessions',
      description: `${whoSees} ${runningAge} ${largeTotals}`,
      querystring: Type.Object({
        ...pageQuery,
        status: Type.Optional(OneOf(sessionStatuses, 'Those in this state')),
        chargerId: Type.Optional(Uuid('Those at this charger')),
        locationId: Type.Optional(Uuid('Those at this location')),
        from: Type.Optional(DateTime('Started at or after this time')),
        to: Type.Optional(DateTime('Started at or before this time')),
      }),
      response: {
        200: List(SessionItem, 'One page of sessions, newest first'),
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
      const { rows: places, total } = await findCallerSessions(deps, caller, filter, page);
      const kept = await items.at(places, (unknown) => readCallerSessions(deps, caller, unknown));
      return sendKept(reply, kept, { pagination: paginationOf(page, total) });
    },
  });

  app.route({
    method: 'GET',
    url: '/charging/sessions/:id',
    config: { scope: 'emsp:read' },
    schema: {
      tags: ['charging'],
      operationId: 'getSession',
      summary: 'One session with its cost breakdown',
      description: `${whoSees} A running session is priced so far. Without a tariff there is no price: \`cost\` is null, never zero.`,
      params,
      response: { 200: SessionDetail, ...problems('Session', 'SESSION_NOT_FOUND') },
    },
    handler: async (request) =>
      sessionView(await readCallerSession(deps, callerOf(request), request.params.id)),
  });

  app.route({
    method: 'GET',
    url: '/charging/sessions/:id/meter-values',
    config: { scope: 'emsp:read' },
    schema: {
      tags: ['charging'],
      operationId: 'getMeterValues',
      summary: 'The meter readings of a session',
      description: whoSees,
      params,
      querystring: Type.Object({
        limit: Type.Optional(
          Type.Integer({
            minimum: 1,
            maximum: 5000,
            default: defaultLimit,
            description: 'Maximum number of samples.',
            examples: [16],
          }),
        ),
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
