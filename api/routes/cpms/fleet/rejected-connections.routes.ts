import { type Static, Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { callerOf } from '#api/plugins/auth.ts';
import { cpmsErrors } from '#api/plugins/openapi/error-schemas.ts';
import { operation } from '#api/routes/operation.ts';
import {
  cursorOf,
  cursorQuery,
  DateTime,
  Integer,
  Named,
  Nullable,
  OneOf,
  Str,
  Uuid,
} from '#api/routes/schema.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import {
  readRejectedConnections,
  type RejectedConnectionRecord,
} from '#api/services/fleet/rejected-connections.service.ts';
import { rejectionReasons } from '#shared/domain/fleet/rejected-connection.ts';
import { CursorEnvelope, successSlice } from '#api/routes/cpms/kernel/envelope.ts';
import { networkOf, networkQuery } from '#api/routes/cpms/kernel/network-query.ts';

const Reason = OneOf(
  rejectionReasons,
  'Reason of the rejection. unknown-identity: no charger has this identity. missing-credentials: the charger sent no ' +
    'password. wrong-credentials: its password or user name is wrong. too-many-attempts: wrong passwords are throttled. ' +
    'unauthenticated: its network requires authentication. tls-required: its security profile requires TLS. ' +
    'certificate-rejected: its client certificate is missing, not valid, or of another charger. no-common-version: it ' +
    'offered no OCPP version that is supported.',
);

const RejectedConnection = Named('RejectedConnection', {
  id: Uuid('Identifier of the rejected connections of one identity and reason.'),
  identity: Str('Identity in the URL of the charger, cut off after 255 characters.', 'QUAY-1'),
  reason: Reason,
  chargerId: Nullable(Uuid('Charger with this identity. Null for an unknown identity.')),
  networkId: Nullable(
    Integer('Integer identifier of the network of the charger. Null for an unknown identity.', 1),
  ),
  remoteAddress: Str('IP address of the latest attempt.', '203.0.113.7'),
  attempts: Integer('Number of attempts.', 12),
  firstAt: DateTime('Time of the first attempt.'),
  lastAt: DateTime('Time of the latest attempt.'),
});

function view({
  id: _id,
  uuid,
  chargerUuid,
  firstAt,
  lastAt,
  ...rejected
}: RejectedConnectionRecord): Static<typeof RejectedConnection> {
  return {
    ...rejected,
    id: uuid,
    chargerId: chargerUuid,
    firstAt: firstAt.toISOString(),
    lastAt: lastAt.toISOString(),
  };
}

/** Registers the route of rejected connections. */
export function rejectedConnectionRoutes(app: App, deps: ApiDeps): void {
  operation(app, 'GET /rejected-connections', 'cpms:read:chargers', {
    operationId: 'listRejectedConnections',
    summary: 'List the connections that the gateway rejected, newest first',
    description:
      'One entry for each identity and reason, ordered by its first attempt. An entry ends when its charger connects, or when a charger with its ' +
      'identity is registered. Unknown identities belong to no network and are visible to unrestricted callers only.',
    querystring: Type.Object({
      ...cursorQuery,
      ...networkQuery,
      reason: Type.Optional(Reason),
      chargerId: Type.Optional(Uuid('Charger identifier.')),
    }),
    response: {
      200: CursorEnvelope(RejectedConnection, 'One page of rejected connections, newest first.'),
      ...cpmsErrors('NETWORK_NOT_FOUND'),
    },
    handler: async (request) => {
      const { reason, chargerId } = request.query;
      const page = await readRejectedConnections(
        deps,
        callerOf(request),
        networkOf(request.query),
        { reason, chargerUuid: chargerId },
        cursorOf(request.query),
      );
      return successSlice(page.rows.map(view), page.nextCursor);
    },
  });
}
