import { Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { actorOf, callerOf } from '#api/plugins/auth.ts';
import { cpmsErrors } from '#api/plugins/openapi/error-schemas.ts';
import { CursorEnvelope, Envelope, success, successSlice } from '#api/routes/cpms/kernel/envelope.ts';
import { networkOf, networkQuery } from '#api/routes/cpms/kernel/network-query.ts';
import { operation } from '#api/routes/operation.ts';
import {
  cursorOf,
  cursorQuery,
  DateTime,
  Flag,
  idParams,
  Integer,
  Named,
  Nullable,
  OneOf,
  Str,
  Text,
  Uuid,
} from '#api/routes/schema.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import {
  type CallHealth,
  exchangeId,
  healthDays,
  maxRefusedObjects,
  listExchanges,
  pushedBy,
  readExchange,
  readHealth,
  retryExchange,
  type WithPartner,
} from '#api/services/roaming/exchanges.ts';
import { pushedObjects } from '#shared/domain/roaming/ocpi-push.ts';
import { Exchange } from './ocpi-partner-view.ts';

const ExchangeId = Text(60, 'Exchange identifier.', '1764000000000-123e4567-e89b-42d3-a456-426614174000');

const { request, response, ...summary } = Exchange.properties;

const logged = {
  id: ExchangeId,
  partnerId: Uuid('Roaming partner identifier.'),
  partnerName: Str('Name of the partner.', 'Harbour Charging'),
  ...summary,
  object: Nullable(OneOf(pushedObjects, 'Kind of the object that the request pushed. Null: it pushed none.')),
  isRepeatable: Flag('True when the exchange sent an object that can be queued for the partner again.'),
};

const LoggedExchange = Named('OcpiLoggedExchange', logged);
const WholeExchange = Named('OcpiWholeExchange', { ...logged, request, response });

const direction = (from: string, to: string) =>
  Type.Object(
    {
      lastSuccessAt: Nullable(
        DateTime(
          `Time of the latest request that ${from} and ${to} accepted. Null: none in ${healthDays} days.`,
        ),
      ),
      lastFailureAt: Nullable(
        DateTime(
          `Time of the latest request that ${from} and that failed. Null: none in ${healthDays} days.`,
        ),
      ),
      requests: Integer('Number of requests in the last 24 hours.', 240),
      failures: Integer('Number of failed ones among them.', 2),
    },
    { description: `Requests that ${from}.` },
  );

const Health = Named('OcpiPartnerHealth', {
  in: direction('the partner sent', 'we'),
  out: direction('we sent', 'the partner'),
  refusedObjects: Type.Array(
    Type.Object({
      object: OneOf(pushedObjects, 'Kind of the object.'),
      key: Nullable(Str('Identifier of the object for partners. Null: it is gone.', 'NL*CWY*E1')),
      refusals: Integer('Number of attempts since the object was last accepted.', 11),
      setAsideAt: DateTime(
        'Time since which the object is sent every six hours, and at once when it changes.',
      ),
      nextTryAt: DateTime('Time of the next attempt.'),
      lastError: Str('Latest response of the partner.', 'HTTP 422, status_code none'),
    }),
    {
      description: `Objects that the partner refused too often, the latest first. At most ${maxRefusedObjects}.`,
    },
  ),
});

const read = { scope: 'cpms:read:ocpi-partners' } as const;
const write = { scope: 'cpms:write:ocpi-partners' } as const;

/** Registers the routes of the exchange log across partners, and of the health that it shows. */
export function ocpiExchangeLogRoutes(app: App, deps: ApiDeps): void {
  operation(app, 'GET /ocpi-exchanges', read, {
    operationId: 'listAllOcpiExchanges',
    summary: 'List the requests exchanged with roaming partners, newest first',
    description: 'Exchanges with removed partners are not listed. The log keeps LOG_DAYS (90 by default).',
    querystring: Type.Object({
      ...cursorQuery,
      ...networkQuery,
      partnerId: Type.Optional(Uuid('Partner to filter by.')),
      from: Type.Optional(DateTime('Start of the window, inclusive.')),
      to: Type.Optional(DateTime('End of the window, inclusive.')),
      module: Type.Optional(Text(40, 'OCPI module to filter by.', 'sessions')),
      direction: Type.Optional(
        OneOf(['in', 'out'], 'Direction to filter by. in: from the partner; out: to the partner.'),
      ),
      failedOnly: Type.Optional(
        Flag(
          'True: only exchanges without a response, with an HTTP status outside of 2xx, or with an OCPI status outside of 1xxx.',
          true,
        ),
      ),
    }),
    response: {
      200: CursorEnvelope(LoggedExchange, 'One page of exchanges.'),
      ...cpmsErrors('NETWORK_NOT_FOUND', 'PARTNER_NOT_FOUND'),
    },
    handler: async (request) => {
      const { partnerId, from, to, module, direction: way, failedOnly } = request.query;
      const page = await listExchanges(deps, callerOf(request), {
        ...cursorOf(request.query),
        networkUuid: networkOf(request.query),
        partnerUuid: partnerId,
        from: from === undefined ? undefined : new Date(from),
        to: to === undefined ? undefined : new Date(to),
        module,
        direction: way,
        isFailed: failedOnly,
      });
      return successSlice(page.rows.map(loggedView), page.nextCursor);
    },
  });

  operation(app, 'GET /ocpi-exchanges/:id', read, {
    operationId: 'getOcpiExchange',
    summary: 'Get an exchange with a roaming partner with its bodies',
    description: 'Method, URL, status and bodies of the request and its response. Tokens are masked.',
    params: Type.Object({ id: ExchangeId }),
    response: { 200: Envelope(WholeExchange, 'The exchange.'), ...cpmsErrors('EXCHANGE_NOT_FOUND') },
    handler: async (request) => {
      const exchange = await readExchange(deps, callerOf(request), request.params.id);
      return success({
        ...loggedView(exchange),
        request: exchange.request,
        response: exchange.response,
      });
    },
  });

  operation(app, 'POST /ocpi-exchanges/:id/retry', write, {
    operationId: 'retryOcpiExchange',
    summary: 'Queue the object of an exchange for its partner again',
    description:
      'The object is sent whole, as it is now, and at once: the circuit breaker of the partner is closed. Only pushes can be repeated ' +
      '(`isRepeatable`), and no CDR that the partner has.',
    params: Type.Object({ id: ExchangeId }),
    response: {
      202: Envelope(
        Type.Object({ id: ExchangeId, queued: Type.Literal(true, { description: 'Always true.' }) }),
        'The object is queued.',
      ),
      ...cpmsErrors(
        'EXCHANGE_NOT_FOUND',
        'PARTNER_NOT_FOUND',
        'OCPI_EXCHANGE_NOT_REPEATABLE',
        'PARTNER_NOT_REGISTERED',
      ),
    },
    handler: async (request, reply) => {
      const { id } = request.params;
      await retryExchange(deps, actorOf(request), id);
      return reply.code(202).send(success({ id, queued: true as const }));
    },
  });

  operation(app, 'GET /ocpi-partners/:uuid/health', read, {
    operationId: 'getOcpiPartnerHealth',
    summary: 'Get the latest successful and failed requests with a partner, each way',
    description:
      'Shows when requests last succeeded and failed in each direction, and the objects that the partner keeps refusing. ' +
      'Pushes that wait are in `push` of `getOcpiPartner`.',
    params: idParams('Roaming partner'),
    response: { 200: Envelope(Health, 'The health.'), ...cpmsErrors('PARTNER_NOT_FOUND') },
    handler: async (request) => {
      const health = await readHealth(deps, callerOf(request), request.params.uuid);
      const refusedObjects = health.refused.map(
        ({ object, key, refusals, setAsideAt, nextTryAt, lastError }) => ({
          object,
          key,
          refusals,
          lastError,
          setAsideAt: setAsideAt.toISOString(),
          nextTryAt: nextTryAt.toISOString(),
        }),
      );
      return success({ in: healthView(health.in), out: healthView(health.out), refusedObjects });
    },
  });
}

function loggedView(exchange: WithPartner) {
  const pushed = pushedBy(exchange);
  return {
    id: exchangeId(exchange),
    partnerId: exchange.partner.uuid,
    partnerName: exchange.partner.name,
    time: exchange.time.toISOString(),
    direction: exchange.direction,
    module: exchange.module,
    method: exchange.method,
    url: exchange.url,
    httpStatus: exchange.httpStatus === 0 ? null : exchange.httpStatus,
    ocpiStatus: exchange.ocpiStatus === 0 ? null : exchange.ocpiStatus,
    latencyMs: exchange.latencyMs,
    requestId: exchange.requestId,
    correlationId: exchange.correlationId,
    error: exchange.error === '' ? null : exchange.error,
    object: pushed?.object ?? null,
    isRepeatable: pushed !== null,
  };
}

function healthView(health: CallHealth | null) {
  return {
    lastSuccessAt: health?.lastSuccessAt?.toISOString() ?? null,
    lastFailureAt: health?.lastFailureAt?.toISOString() ?? null,
    requests: health?.requests ?? 0,
    failures: health?.failures ?? 0,
  };
}
