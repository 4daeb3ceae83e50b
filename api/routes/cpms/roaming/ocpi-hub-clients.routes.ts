import { Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { callerOf } from '#api/plugins/auth.ts';
import { cpmsErrors } from '#api/plugins/openapi/error-schemas.ts';
import { operation } from '#api/routes/operation.ts';
import { cursorOf, cursorQuery, DateTime, Flag, idParams, Named, OneOf, Str } from '#api/routes/schema.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import { listClientsOfHub, type ListedHubClient } from '#api/services/roaming/hub-clients.ts';
import { CursorEnvelope, successSlice } from '#api/routes/cpms/kernel/envelope.ts';
import { clientStatuses } from '#shared/domain/roaming/hub-client.ts';

const HubClient = Named('OcpiHubClient', {
  countryCode: Str('Country of the party (ISO 3166-1 alpha-2).', 'FR'),
  partyId: Str('OCPI party identifier.', 'EMP'),
  role: Str('OCPI role in which the party is connected.', 'EMSP'),
  status: OneOf(
    clientStatuses,
    'State of the connection to the hub. OFFLINE and PLANNED: CDRs wait, and only whitelisted tokens are authorized. ' +
      'SUSPENDED: the tokens of the party are blocked.',
  ),
  isGranted: Flag(
    'True when the hub carries the tokens of the party. False: another partner was granted the party, or `hubParties` is ' +
      'LISTED and the party is not among `parties`.',
  ),
  lastUpdated: DateTime("Time of the change, by the hub's clock."),
});

function clientView({ id: _id, lastUpdated, ...client }: ListedHubClient) {
  return { ...client, lastUpdated: lastUpdated.toISOString() };
}

/** Registers the route of the parties that a hub reported as its clients. */
export function ocpiHubClientRoutes(app: App, deps: ApiDeps): void {
  operation(app, 'GET /ocpi-partners/:uuid/hub-clients', 'cpms:read:ocpi-partners', {
    operationId: 'listOcpiHubClients',
    summary: 'List the parties behind a roaming hub with the state of their connection',
    description: 'Parties as the hub reported them (OCPI 2.2.1 §15). A partner that is not a hub has none.',
    params: idParams('Roaming partner'),
    querystring: Type.Object(cursorQuery),
    response: {
      200: CursorEnvelope(
        HubClient,
        'One page of parties, in the order in which the hub first reported them.',
      ),
      ...cpmsErrors('PARTNER_NOT_FOUND'),
    },
    handler: async (request) => {
      const { uuid } = request.params;
      const page = cursorOf(request.query);
      const { rows, nextCursor } = await listClientsOfHub(deps, callerOf(request), uuid, page);
      return successSlice(rows.map(clientView), nextCursor);
    },
  });
}
