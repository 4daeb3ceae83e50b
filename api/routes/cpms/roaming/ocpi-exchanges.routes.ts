import { Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { actorOf, callerOf } from '#api/plugins/auth.ts';
import { cpmsErrors } from '#api/plugins/openapi/error-schemas.ts';
import { operation } from '#api/routes/operation.ts';
import {
  Closed,
  cursorOf,
  cursorQuery,
  DateTime,
  idParams,
  Integer,
  OneOf,
  Text,
} from '#api/routes/schema.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import { readPartnerExchanges, resyncPartner } from '#api/services/roaming/partner-registry.ts';
import { pushedModules } from '#shared/domain/roaming/ocpi-push.ts';
import { CursorEnvelope, Envelope, success, successSlice } from '#api/routes/cpms/kernel/envelope.ts';
import { Exchange, exchangeView } from './ocpi-partner-view.ts';

const Resync = Closed({
  modules: Type.Optional(
    Type.Array(OneOf(pushedModules), {
      minItems: 1,
      maxItems: pushedModules.length,
      uniqueItems: true,
      description: 'Modules to send. Default: all.',
    }),
  ),
  since: Type.Optional(DateTime('Time of the earliest change to send. Default: all objects.')),
});

const params = idParams('Roaming partner');
const read = { scope: 'cpms:read:ocpi-partners' } as const;
const write = { scope: 'cpms:write:ocpi-partners' } as const;

/** Registers the routes of the data exchanged with a roaming partner: sending it again, and its log. */
export function ocpiExchangeRoutes(app: App, deps: ApiDeps): void {
  operation(app, 'POST /ocpi-partners/:uuid/resync', write, {
    operationId: 'resyncOcpiPartner',
    summary: 'Send objects to a partner again',
    description:
      'Queues every current object of the given modules for this partner, or those changed since a time. They ' +
      'are sent after the response, as the partner accepts them.',
    params,
    body: Resync,
    response: {
      202: Envelope(
        Type.Object({
          queued: Integer(
            'Number of objects that will be sent. CDRs that the partner has are not sent again.',
          ),
        }),
        'The objects are queued.',
      ),
      ...cpmsErrors('PARTNER_NOT_FOUND', 'PARTNER_NOT_REGISTERED'),
    },
    handler: async (request, reply) => {
      const { modules = pushedModules, since } = request.body;
      const queued = await resyncPartner(deps, actorOf(request), request.params.uuid, {
        modules,
        since: since === undefined ? null : new Date(since),
      });
      return reply.code(202).send(success({ queued }));
    },
  });

  operation(app, 'GET /ocpi-partners/:uuid/exchanges', read, {
    operationId: 'listOcpiExchanges',
    summary: 'List the requests exchanged with a partner, newest first',
    description:
      'Requests in both directions without their bodies. Exchanges are kept for LOG_DAYS (90 by ' +
      'default).',
    params,
    querystring: Type.Object({
      ...cursorQuery,
      from: Type.Optional(DateTime('Start of the window, inclusive.')),
      to: Type.Optional(DateTime('End of the window, inclusive.')),
      module: Type.Optional(Text(40, 'OCPI module to filter by.')),
      direction: Type.Optional(
        OneOf(['in', 'out'], 'Direction to filter by. in: from the partner; out: to the partner.'),
      ),
    }),
    response: {
      200: CursorEnvelope(Exchange, 'One page of exchanges.'),
      ...cpmsErrors('PARTNER_NOT_FOUND'),
    },
    handler: async (request) => {
      const { from, to, module, direction } = request.query;
      const page = await readPartnerExchanges(deps, callerOf(request), request.params.uuid, {
        ...cursorOf(request.query),
        from: from === undefined ? undefined : new Date(from),
        to: to === undefined ? undefined : new Date(to),
        module,
        direction,
      });
      return successSlice(page.rows.map(exchangeView), page.nextCursor);
    },
  });
}
