import { Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { callerOf } from '#api/plugins/auth.ts';
import { problems } from '#api/plugins/openapi/error-schemas.ts';
import { operation } from '#api/routes/operation.ts';
import { Flag, idParams, largeTotals, pageOf, pageQuery, Text, Uuid } from '#api/routes/schema.ts';
import { SharedPages } from '#api/routes/shared-pages.ts';
import { seesPublicOnly } from '#api/services/access/callers.ts';
import { listDriverChargers, readDriverCharger } from '#api/services/fleet/chargers.service.ts';
import { readConnectorStatus } from '#api/services/fleet/connectors.service.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import { Charger, chargerView, ConnectorStatus, connectorStatusView } from './charger-view.ts';
import { List, listPage } from '#api/routes/emsp/kernel/lists.ts';

const whoSees =
  'Operator keys see all chargers of their networks, driver keys the public ones at published locations.';

/** Registers the routes of chargers and connectors. */
export function chargerRoutes(app: App, deps: ApiDeps): void {
  const list = List(Charger, 'One page of chargers, oldest first.');
  const pages = new SharedPages(list);

  operation(app, 'GET /chargers', 'emsp:read', {
    operationId: 'findChargers',
    summary: 'List chargers with their connectors',
    description: `${whoSees} ${largeTotals}`,
    querystring: Type.Object({
      ...pageQuery,
      status: Type.Optional(
        Text(
          40,
          'Status to filter by, in any case. Offline chargers match Unavailable, not the status that they reported last.',
          'Available',
        ),
      ),
      locationId: Type.Optional(Uuid('Location to filter by.')),
      isPublic: Type.Optional(Flag('True selects public chargers. Driver keys see no others.')),
    }),
    response: { 200: list, ...problems('Charger') },
    handler: async (request, reply) => {
      const { status, locationId, isPublic } = request.query;
      const filter = { status, locationUuid: locationId, isPublic };
      const page = pageOf(request.query);
      const caller = callerOf(request);
      // Drivers see the same chargers: the public ones of their networks.
      const scope = [caller.networks, seesPublicOnly(caller)];
      return pages.send(request, reply, scope, async () => {
        const { rows, total } = await listDriverChargers(deps, caller, filter, page);
        return listPage(rows.map(chargerView), page, total);
      });
    },
  });

  operation(app, 'GET /chargers/:id', 'emsp:read', {
    operationId: 'findCharger',
    summary: 'Get a charger with its connectors',
    description: whoSees,
    params: idParams('Charger', 'id'),
    response: { 200: Charger, ...problems('Charger', 'CHARGER_NOT_FOUND') },
    handler: async (request) =>
      chargerView(await readDriverCharger(deps, callerOf(request), request.params.id)),
  });

  operation(app, 'GET /connectors/:id/status', 'emsp:read', {
    operationId: 'getConnectorStatus',
    summary: 'Get the status of a connector',
    description: whoSees,
    params: idParams('Connector', 'id'),
    response: { 200: ConnectorStatus, ...problems('Connector', 'CONNECTOR_NOT_FOUND') },
    handler: async (request) =>
      connectorStatusView(await readConnectorStatus(deps, callerOf(request), request.params.id)),
  });
}
