import { longestIdTokenLimit } from '#shared/domain/fleet/ocpp-version.ts';
import { Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { actorOf } from '#api/plugins/auth.ts';
import { operation } from '#api/routes/operation.ts';
import {
  Closed,
  ConnectorNumber,
  Integer,
  Named,
  Nullable,
  OneOf,
  OptionalBody,
  Str,
  Text,
  Uuid,
} from '#api/routes/schema.ts';
import { limitFields } from '#api/routes/session-limits.routes.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import { operatorIdTag, startForOperator } from '#api/services/charging/operator-remote-starts.ts';
import { remoteStop } from '#api/services/charging/remote-stops.ts';
import { sessionStatuses } from '#shared/domain/charging/session.ts';
import {
  chargerOf,
  commandAnswer,
  commandErrors,
  commandRequest,
  deviceType,
  outcome,
} from '#api/routes/cpms/kernel/command-route.ts';
import { Envelope, success } from '#api/routes/cpms/kernel/envelope.ts';

const Start = Closed({
  idTag: Type.Optional(Text(longestIdTokenLimit, 'Token that starts the session.', '04A1B2C3D4E5F6')),
  connectorNumber: Type.Optional(ConnectorNumber),
  ...limitFields,
});

const Stop = Closed({
  sessionId: Type.Optional(
    Uuid('Session to stop. Required, or connectorNumber, when several sessions are running at the charger.'),
  ),
  connectorNumber: Type.Optional(ConnectorNumber),
});

const Started = Named('RemoteStartResult', {
  ...commandAnswer,
  connectorNumber: Nullable(Integer('Connector number at the charger, starting at 1.', 1)),
  idTag: Str('Token that starts the session.', '04A1B2C3D4E5F6'),
  deviceType,
  transactionId: Nullable(
    Str('OCPP transaction identifier. Null when the charger sent none (OCPP 1.6).', '1042'),
  ),
});

const Stopped = Named('RemoteStopResult', {
  ...commandAnswer,
  sessionId: Uuid('Session identifier.'),
  status: OneOf(sessionStatuses, 'STOPPING after the charger accepted, otherwise the unchanged status.'),
  deviceType,
});

/** Registers the routes that start and stop sessions remotely. */
export function remoteSessionRoutes(app: App, deps: ApiDeps): void {
  app.route({
    method: 'POST',
    url: '/chargers/:chargerUuid/remote-start',
    config: { scope: 'cpms:command:remote-start', idempotent: 'by-cause' },
    schema: {
      ...commandRequest,
      operationId: 'remoteStart',
      summary: 'Start a session remotely',
      description: `The session appears when the charger reports it. OCPP requires a token: without \`idTag\` it is \`${operatorIdTag}\`. The wallet of the token's driver must hold the minimum balance of the network, which is set aside for the session.`,
      body: OptionalBody(Start),
      response: {
        200: Envelope(Started, 'Answer of the charger.'),
        ...commandErrors('CONNECTOR_NOT_FOUND', 'ID_TOKEN_NOT_ACCEPTED', 'BALANCE_TOO_LOW'),
      },
    },
    handler: async (request) => {
      const charger = await chargerOf(deps, request);
      const { idTag = operatorIdTag, connectorNumber = null, ...limits } = request.body ?? {};
      const result = await startForOperator(deps, actorOf(request), charger, {
        idTag,
        connectorNumber,
        limits,
      });
      return success({
        chargerId: charger.uuid,
        connectorNumber,
        idTag,
        accepted: result.accepted,
        deviceType: 'OCPP' as const,
        transactionId: result.transactionId,
        message: outcome(
          result,
          'The charger accepted. The session exists when the charger reports its start.',
        ),
      });
    },
  });

  operation(app, 'POST /chargers/:chargerUuid/remote-stop', 'cpms:command:remote-stop', {
    ...commandRequest,
    operationId: 'remoteStop',
    summary: 'Stop a running session remotely',
    description:
      'Stops the given session, or the only running one at the charger or connector. With several running ' +
      'ones, specify one (409 SESSION_AMBIGUOUS). The session ends when the charger reports it.',
    body: OptionalBody(Stop),
    response: {
      200: Envelope(Stopped, 'Answer of the charger.'),
      ...commandErrors('NO_ACTIVE_SESSION', 'SESSION_AMBIGUOUS'),
    },
    handler: async (request) => {
      const charger = await chargerOf(deps, request);
      const { sessionUuid, status, result } = await remoteStop(
        deps,
        actorOf(request),
        charger,
        request.body ?? {},
      );
      return success({
        chargerId: charger.uuid,
        sessionId: sessionUuid,
        status,
        accepted: result.accepted,
        deviceType: 'OCPP' as const,
        message: outcome(result, 'The charger accepted. The final data comes with its stop.'),
      });
    },
  });
}
