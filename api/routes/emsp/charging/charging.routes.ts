import { longestIdTokenLimit } from '#shared/domain/fleet/ocpp-version.ts';
import { type Static, Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { actorOf, callerOf } from '#api/plugins/auth.ts';
import { problems } from '#api/plugins/openapi/error-schemas.ts';
import { operation } from '#api/routes/operation.ts';
import { ConnectorNumber, DateTime, idParams, Nullable, OneOf, Str, Text, Uuid } from '#api/routes/schema.ts';
import { plugFields } from '#api/routes/session-fields.ts';
import { limitFields } from '#api/routes/session-limits.routes.ts';
import { readStart, startCharging, type StartRecord } from '#api/services/charging/driver-remote-starts.ts';
import { stopCharging } from '#api/services/charging/charging-stops.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import { remoteStartStatuses } from '#shared/domain/charging/remote-start.ts';
import { detailView, SessionDetail } from './session-view.ts';

/** Fields of a request to start a session. */
export const wantedSession = {
  chargerId: Uuid('Charger to start at. Drivers can use public chargers at published locations.'),
  connectorId: Type.Optional(
    Uuid('Connector to start at. Required, or connectorNumber, at a charger with several connectors.'),
  ),
  connectorNumber: Type.Optional(ConnectorNumber),
  idTag: Type.Optional(Text(longestIdTokenLimit, 'Token that starts the session.', '04A1B2C3D4E5F6')),
  ...limitFields,
};

const aboutTokens =
  'Without `idTag`, drivers charge with the token of the app, which is created at the first start. ' +
  'Operators must send one.';

const Start = Type.Object(wantedSession, { title: 'StartSessionRequest', additionalProperties: false });

const Started = Type.Object(
  {
    id: Uuid('Start identifier, for /charging/starts/{id}.'),
    status: OneOf(
      remoteStartStatuses,
      'Status of the start. pending: the charger is to begin the session when the car is plugged in. started: ' +
        '`sessionId` identifies the session. expired: no session began in time. refused: the charger refused. A ' +
        'start whose session proved to be an older one that the charger reported late returns to pending when ' +
        'that session is stopped.',
    ),
    ...plugFields,
    idTag: Str('Token that starts the session.', '04A1B2C3D4E5F6'),
    requestedAt: DateTime('Time of the request.'),
    expiresAt: DateTime('Time until which the session must begin.'),
    sessionId: Nullable(Uuid('Session identifier. Null when there is no session yet.')),
  },
  { title: 'ChargingStart', description: 'The start.' },
);

const Stop = Type.Object(
  { sessionId: Uuid('Session identifier.') },
  { title: 'StopSessionRequest', additionalProperties: false },
);

/** Errors of a charger that refuses or does not answer. */
const chargerFaults = ['CHARGER_REFUSED', 'CHARGER_TIMEOUT'] as const;

/** Registers the routes that start and stop sessions. */
export function chargingRoutes(app: App, deps: ApiDeps): void {
  app.route({
    method: 'POST',
    url: '/charging/start',
    config: { scope: 'emsp:charge', idempotent: 'by-cause' },
    schema: {
      operationId: 'startCharging',
      summary: 'Start a session',
      description: `${aboutTokens} The session begins when the charger reports it; poll the start until then. A driver and a connector have one pending start each, and a token charges one session at a time. Where the network requires a minimum balance, it is set aside in the wallet of the token's driver.`,
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
        ),
      },
    },
    handler: async (request) => startView(await startCharging(deps, actorOf(request), wanted(request.body))),
  });

  operation(app, 'GET /charging/starts/:id', 'emsp:read', {
    operationId: 'getStart',
    summary: 'Get the status of a start',
    description:
      'Driver keys see the starts that the driver pays for, operator keys the starts of their networks.',
    params: idParams('Start', 'id'),
    response: { 200: Started, ...problems('Charging', 'START_NOT_FOUND') },
    handler: async (request) => startView(await readStart(deps, callerOf(request), request.params.id)),
  });

  operation(app, 'POST /charging/stop', 'emsp:charge', {
    operationId: 'stopCharging',
    summary: 'Stop a session',
    description:
      'The response waits some seconds for the stop of the charger, which contains the final meter register. If ' +
      'it takes longer, the session is STOPPING and priced so far.',
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
      ),
    },
    handler: async (request) =>
      detailView(deps, await stopCharging(deps, actorOf(request), request.body.sessionId)),
  });
}

/** Returns the fields of a start request. */
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
