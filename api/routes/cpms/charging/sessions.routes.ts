import { Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { actorOf, callerOf } from '#api/plugins/auth.ts';
import { cpmsErrors } from '#api/plugins/openapi/error-schemas.ts';
import { MeterValues, sendMeterValues } from '#api/routes/emsp/charging/meter-values.routes.ts';
import { operation } from '#api/routes/operation.ts';
import { DateTime, Decimal, idParams, limitUpTo, Named, OneOf, Text, Uuid } from '#api/routes/schema.ts';
import { LimitChange } from '#api/routes/session-limits.routes.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import { readMeterValues } from '#api/services/charging/meter-values.service.ts';
import { readOperatorSession, stopSession } from '#api/services/charging/operator-sessions.ts';
import { amendSession } from '#api/services/money/session-amending.service.ts';
import { changeSessionLimits } from '#api/services/charging/session-limits.service.ts';
import { sessionStatuses } from '#shared/domain/charging/session.ts';
import { commandAnswer, commandErrors, deviceType, outcome } from '#api/routes/cpms/kernel/command-route.ts';
import { Envelope, success, VersionedEnvelope } from '#api/routes/cpms/kernel/envelope.ts';
import { confirmAbovePlausible } from './session-review.routes.ts';
import { detailFor, SessionDetail } from './session-view.ts';
import { expectedVersion, ifMatchHeaders, versioned } from '#api/routes/cpms/kernel/versioned.ts';

const params = idParams('Session');
const defaultLimit = 1000;

const Money = Decimal("Amount in the major unit of the session's currency.", 5, {
  minimum: 0,
  maximum: 1_000_000,
});

const Amendment = Type.Object(
  {
    reason: Text(
      500,
      'Reason of the amendment, kept with the revision and in the audit log.',
      'Paid at the desk',
    ),
    energyKwh: Type.Optional(
      Decimal('Corrected energy of the session in kWh.', 12.5, { minimum: 0, maximum: 100_000 }),
    ),
    endedAt: Type.Optional(DateTime('Corrected end, between the start of the session and now.')),
    cost: Type.Optional(
      Type.Object(
        { exclVat: Money, inclVat: Money },
        {
          additionalProperties: false,
          description:
            'Corrected price of the whole session. Without it, a corrected energy or end is priced by the tariff of ' +
            'the session.',
        },
      ),
    ),
    confirmAbovePlausible,
  },
  {
    additionalProperties: false,
    minProperties: 2,
    description: 'Reason, and at least one of `energyKwh`, `endedAt` and `cost`.',
  },
);

const Stopped = Named('RemoteStopResult', {
  ...commandAnswer,
  sessionId: Uuid('Session identifier.'),
  status: OneOf(sessionStatuses, 'STOPPING after the charger accepted, otherwise the unchanged status.'),
  deviceType,
});

/** Registers the routes of single sessions for operators. */
export function operatorSessionRoutes(app: App, deps: ApiDeps): void {
  operation(app, 'GET /sessions/:uuid', 'cpms:read:sessions', {
    operationId: 'getOperatorSession',
    summary: 'Get a session with its cost breakdown, tariff and revisions',
    description: 'A running session has no ETag, because its values change constantly.',
    params,
    response: { 200: VersionedEnvelope(SessionDetail, 'The session.'), ...cpmsErrors('SESSION_NOT_FOUND') },
    handler: async (request, reply) => {
      const { uuid } = request.params;
      const caller = callerOf(request);
      const read = await readOperatorSession(deps, caller, uuid);
      const detail = detailFor(caller)(read);
      const { session } = read.reading;
      return session.endedAt === null ? success(detail) : versioned(reply, session, detail);
    },
  });

  operation(app, 'GET /sessions/:uuid/meter-values', 'cpms:read:sessions', {
    operationId: 'getOperatorMeterValues',
    summary: 'Get the meter values of a session',
    description:
      'Samples in the order of time: power in kW, energy register in kWh, current in A, voltage in V, state ' +
      'of charge in percent. At most `limit`; `truncated` is true when the session has more.',
    params,
    querystring: Type.Object({
      limit: limitUpTo(5000, defaultLimit, 'samples'),
    }),
    response: {
      200: Envelope(MeterValues, 'Meter values of the session.'),
      ...cpmsErrors('SESSION_NOT_FOUND'),
    },
    handler: async (request, reply) => {
      const { uuid } = request.params;
      const { limit = defaultLimit } = request.query;
      const samples = await readMeterValues(deps, callerOf(request), uuid, limit);
      return sendMeterValues(reply, { sessionId: uuid.toLowerCase(), limit }, samples, success);
    },
  });

  operation(app, 'POST /sessions/:uuid/stop', 'cpms:command:remote-stop', {
    operationId: 'stopOperatorSession',
    summary: 'Stop a running session',
    description:
      'Sends a remote stop to the charger of the session. The session ends when the charger reports it. A ' +
      'session that has ended gets 409.',
    params,
    response: {
      200: Envelope(Stopped, 'Answer of the charger.'),
      ...commandErrors('SESSION_NOT_FOUND', 'NO_ACTIVE_SESSION'),
    },
    handler: async (request) => {
      const stopped = await stopSession(deps, actorOf(request), request.params.uuid);
      return success({
        chargerId: stopped.chargerUuid,
        sessionId: stopped.sessionUuid,
        status: stopped.status,
        accepted: stopped.result.accepted,
        deviceType: 'OCPP' as const,
        message: outcome(stopped.result, 'The charger accepted. The final data comes with its stop.'),
      });
    },
  });

  operation(app, 'PATCH /sessions/:uuid/limits', 'cpms:write:sessions', {
    operationId: 'changeSessionLimits',
    summary: 'Change the limits of a running session',
    description:
      'A session that passed a limit continues when the new limits allow it, unless the charger has accepted ' +
      "the stop. The balance of the driver's wallet is a separate limit.",
    params,
    body: LimitChange,
    response: {
      200: Envelope(SessionDetail, 'The session with its new limits.'),
      ...cpmsErrors('SESSION_NOT_FOUND', 'NO_ACTIVE_SESSION'),
    },
    handler: async (request) => {
      const { uuid } = request.params;
      await changeSessionLimits(deps, actorOf(request), uuid, request.body);
      const caller = callerOf(request);
      return success(detailFor(caller)(await readOperatorSession(deps, caller, uuid)));
    },
  });

  operation(app, 'POST /sessions/:uuid/amend', 'cpms:command:billing', {
    operationId: 'amendSession',
    summary: 'Amend the energy, end or price of a completed session',
    description:
      'The previous values are kept as a revision with the reason, and in the audit log. The difference is ' +
      'settled with the wallet that paid. Later messages of the charger do not change the session again, and a ' +
      'review of its price ends. Energy and price above the maximum of the connector require ' +
      '`confirmAbovePlausible`. A session on an invoice cannot be amended.',
    params,
    headers: ifMatchHeaders,
    body: Amendment,
    response: {
      200: VersionedEnvelope(SessionDetail, 'The session after the change.'),
      ...cpmsErrors(
        'SESSION_NOT_FOUND',
        'SESSION_NOT_COMPLETED',
        'SESSION_INVOICED',
        'ABOVE_PLAUSIBLE',
        'PRECONDITION_FAILED',
      ),
    },
    handler: async (request, reply) => {
      const { uuid } = request.params;
      const { reason, endedAt, ...changes } = request.body;
      const amendment = { ...changes, endedAt: endedAt === undefined ? undefined : new Date(endedAt) };
      await amendSession(deps, actorOf(request), uuid, expectedVersion(request.headers), amendment, reason);
      const caller = callerOf(request);
      const session = await readOperatorSession(deps, caller, uuid);
      return versioned(reply, session.reading.session, detailFor(caller)(session));
    },
  });
}
