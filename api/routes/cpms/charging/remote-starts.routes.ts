import { Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { cpmsErrors } from '#api/plugins/openapi/error-schemas.ts';
import { operation } from '#api/routes/operation.ts';
import {
  DateTime,
  Integer,
  Named,
  Nullable,
  OneOf,
  pageOf,
  pageQuery,
  Str,
  Uuid,
} from '#api/routes/schema.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import { readRemoteStarts } from '#api/services/charging/remote-starts.service.ts';
import { remoteStartStatuses } from '#shared/domain/charging/remote-start.ts';
import { chargerOf, commandRequest } from '#api/routes/cpms/kernel/command-route.ts';
import { PagedEnvelope, successPage } from '#api/routes/cpms/kernel/envelope.ts';

const RemoteStart = Named('RemoteStart', {
  id: Uuid('Remote start identifier.'),
  idTag: Str('Token that starts the session.', '04A1B2C3D4E5F6'),
  connectorNumber: Nullable(Integer('Connector number at the charger, starting at 1.', 1)),
  status: OneOf(
    remoteStartStatuses,
    'Status of the start. pending: until the charger reports the session. expired: no session began in time.',
  ),
  requestedAt: DateTime('Time of the request.'),
  expiresAt: DateTime('Time until which the session must begin.'),
  sessionId: Nullable(Uuid('Session identifier. Null when there is no session yet.')),
});

/** Registers the route that lists remote starts. */
export function remoteStartRoutes(app: App, deps: ApiDeps): void {
  operation(app, 'GET /chargers/:chargerUuid/remote-starts', 'cpms:read:chargers', {
    ...commandRequest,
    operationId: 'listRemoteStarts',
    summary: 'List the remote starts of a charger, newest first',
    description:
      'Requests to start a session with their outcome, from operators, drivers and roaming partners.',
    querystring: Type.Object({ ...commandRequest.querystring.properties, ...pageQuery }),
    response: {
      200: PagedEnvelope(RemoteStart, 'One page of remote starts.'),
      ...cpmsErrors('CHARGER_NOT_FOUND', 'NETWORK_NOT_FOUND'),
    },
    handler: async (request) => {
      const charger = await chargerOf(deps, request);
      const page = pageOf(request.query);
      const { rows, total } = await readRemoteStarts(deps, charger, page);
      const starts = rows.map((start) => ({
        id: start.uuid,
        idTag: start.idToken,
        connectorNumber: start.connectorNumber,
        status: start.status,
        requestedAt: start.requestedAt.toISOString(),
        expiresAt: start.expiresAt.toISOString(),
        sessionId: start.sessionUuid,
      }));
      return successPage(starts, page, total);
    },
  });
}
