import { type Static, Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { actorOf, callerOf } from '#api/plugins/auth.ts';
import { bodyErrors, problems } from '#api/plugins/openapi/error-schemas.ts';
import { ConnectorNumber, DateTime, Nullable, OneOf, Text, Uuid } from '#api/routes/schema.ts';
import { limitFields } from '#api/routes/session-limits.ts';
import { readStart, startCharging, type StartRecord } from '#api/services/charging/driver-remote-starts.ts';
import { stopCharging } from '#api/services/charging/charging-stops.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import { remoteStartStatuses } from '#shared/domain/charging/remote-start.ts';
import { SessionDetail, sessionView } from './session-view.ts';

/** Where and with what to charge, in a request. */
export const wantedSession = {
  chargerId: Uuid('Drivers start at public chargers of published locations'),
  connectorId: Type.Optional(Uuid('Needed, or connectorNumber, at a charger with several connectors')),
  connectorNumber: Type.Optional(ConnectorNumber),
  idTag: Type.Optional(
    Text(36, { description: 'Token that starts the session.', examples: ['04A1B2C3D4E5F6'] }),
  ),
  ...limitFields,
};

const aboutTokens =
  'Without `idTag` a driver charges with the token of the app, which is made the first time; operators name one.';

const Start = Type.Object(wantedSession, { title: 'StartSessionRequest', additionalProperties: false });

const Started = Type.Object(
  {
    id: Uuid('Of this start: follow it at /charging/starts/{id}'),
    status: OneOf(
      remoteStartStatuses,
      'pending: the charger is to begin the session, once the car is plugged in; started: `sessionId` tells which; expired: none began; refused. A start that was taken to be an older session, which the charger told late, is pending again when that one is stopped',
    ),
    chargerId: Uuid('Charger identifier.'),
    chargerUid: Type.String({
      description: 'OCPP identity of the charger, as printed on it.',
      examples: ['QUAY-1'],
    }),
    connectorId: Uuid('Connector identifier.'),
    connectorNumber: Type.Integer({
      description: 'Connector number at the charger, starting at 1.',
      examples: [1],
    }),
    idTag: Type.String({ description: 'Token that starts the session.', examples: ['04A1B2C3D4E5F6'] }),
    requestedAt: DateTime('Time of the request.'),
    expiresAt: DateTime('Until then the session is waited for'),
    sessionId: Nullable(Uuid('Session identifier. Null when there is no session yet.')),
  },
  { title: 'ChargingStart', description: 'The start' },
);

const Stop = Type.Object(
  { sessionId: Uuid('Session identifier.') },
  { title: 'StopSessionRequest', additionalProperties: false },
);

/** What a start or a stop answers where the charger itself does not do as it should. */
const chargerFaults = ['CHARGER_REFUSED', 'CHARGER_TIMEOUT'] as const;

/** Starting and stopping a session. */
export function chargingRoutes(app: App, deps: ApiDeps): void {
  app.route({
    method: 'POST',
    url: '/charging/start',
    config: { scope: 'emsp:charge' },
    schema: {
      tags: ['charging'],
      operationId: 'startCharging',
      summary: 'Ask a charger to start a session',
      description: `${aboutTokens} The session begins when the charger reports it; follow the start until then. One start of a driver and of a connector waits at a time, and a token charges one session at a time. Where the network asks for a minimum, the wallet of the token's driver sets it aside.`,
      body: Start,
      response: {
        200: Started,
        ...problems(
          'Charging',
          'CHARGER_NOT_FOUND',
          'CHARGER_UNAVAILABLE',
          'CONNECTOR_NOT_FOUND',
          'CONNECTOR_UNAVAILABLE',
          'ID_TOKEN_NOT_FOUND',
          'ID_TOKEN_BLOCKED',
          'ID_TOKEN_IN_USE',
          'START_IN_PROGRESS',
          'BALANCE_TOO_LOW',
          'START_REFUSED',
          'USER_NOT_FOUND',
          ...chargerFaults,
          ...bodyErrors,
        ),
      },
    },
    handler: async (request) => startView(await startCharging(deps, actorOf(request), wanted(request.body))),
  });

  app.route({
    method: 'GET',
    url: '/charging/starts/:id',
    config: { scope: 'emsp:read' },
    schema: {
      tags: ['charging'],
      operationId: 'getStart',
      summary: 'What became of a start',
      description: 'Driver keys see starts that they pay, operator keys those of their networks.',
      params: Type.Object({ id: Uuid('Start identifier.') }),
      response: { 200: Started, ...problems('Charging', 'START_NOT_FOUND') },
    },
    handler: async (request) => startView(await readStart(deps, callerOf(request), request.params.id)),
  });

  app.route({
    method: 'POST',
    url: '/charging/stop',
    config: { scope: 'emsp:charge' },
    schema: {
      tags: ['charging'],
      operationId: 'stopCharging',
      summary: 'Stop a session',
      description:
        'The answer waits some seconds for the stop of the charger, which tells the final register. When that takes longer the session is STOPPING and priced so far.',
      body: Stop,
      response: {
        200: SessionDetail,
        ...problems(
          'Charging',
          'SESSION_NOT_FOUND',
          'SESSION_NOT_RUNNING',
          'CHARGER_UNAVAILABLE',
          'STOP_REFUSED',
          ...chargerFaults,
          ...bodyErrors,
        ),
      },
    },
    handler: async (request) =>
      sessionView(await stopCharging(deps, actorOf(request), request.body.sessionId)),
  });
}

/** What a body asks for. */
export function wanted(body: Static<typeof Start>) {
  const { chargerId, connectorId, connectorNumber, idTag, maxEnergyKwh, maxDurationMinutes, maxCost } = body;
  const limits = { maxEnergyKwh, maxDurationMinutes, maxCost };
  return { chargerId, connectorId, connectorNumber, idTag, limits };
}

function startView(start: StartRecord): Static<typeof Started> {
  return {
    id: start.uuid,
    status: start.status,
    chargerId: start.chargerUuid,
    chargerUid: start.chargerUid,
    connectorId: start.connectorUuid,
    connectorNumber: start.connectorNumber,
    idTag: start.idToken,
    requestedAt: start.requestedAt.toISOString(),
    expiresAt: start.expiresAt.toISOString(),
    sessionId: start.sessionUuid,
  };
}
