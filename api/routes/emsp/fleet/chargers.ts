import { Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { callerOf } from '#api/plugins/auth.ts';
import { problems } from '#api/plugins/openapi/error-schemas.ts';
import { pageOf, pageQuery, paginationOf, Text, Uuid, idParams } from '#api/routes/schema.ts';
import { ItemCache, sendItem } from '#api/routes/item-cache.ts';
import { largeTotals, ListItemCache } from '#api/routes/list-item-cache.ts';
import { seesPublicOnly } from '#api/services/access/callers.ts';
import {
  type ChargerWithConnectors,
  driverChargerItem,
  findDriverChargers,
  readDriverChargers,
  type Versioned,
} from '#api/services/fleet/chargers.ts';
import { connectorStatusItem } from '#api/services/fleet/connectors.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import { Charger, chargerView, ConnectorStatus, connectorStatusView } from './charger-view.ts';
import { List } from '#api/routes/emsp/kernel/lists.ts';

const whoSees =
  'Operator keys see all chargers of their networks, driver keys the public ones at published locations.';

/** Registers the routes of chargers and connectors. */
export function chargerRoutes(app: App, deps: ApiDeps): void {
  const items = new ListItemCache({
    schema: Charger,
    idOf: ({ charger }: Versioned<ChargerWithConnectors>) => charger.id,
    view: chargerView,
    versionOf: ({ rowVersion }) => rowVersion,
  });
  const chargers = new ItemCache({ schema: Charger, view: chargerView });
  const connectors = new ItemCache({ schema: ConnectorStatus, view: connectorStatusView });

  app.route({
    method: 'GET',
    url: '/chargers',
    config: { scope: 'emsp:read' },
    schema: {
      operationId: 'findChargers',
      summary: 'List chargers with their connectors',
      description: `${whoSees} ${largeTotals}`,
      querystring: Type.Object({
        ...pageQuery,
        status: Type.Optional(
          Text(40, {
            description:
              'Status to filter by, in any case. Offline chargers match Unavailable, not the status that they reported last.',
            examples: ['Available'],
          }),
        ),
        locationId: Type.Optional(Uuid('Location to filter by.')),
        isPublic: Type.Optional(
          Type.Boolean({ description: 'True selects public chargers. Driver keys see no others.' }),
        ),
      }),
      response: { 200: List(Charger, 'One page of chargers, oldest first.'), ...problems('Charger') },
    },
    handler: async (request, reply) => {
      const { status, locationId, isPublic } = request.query;
      const filter = { status, locationUuid: locationId, isPublic };
      const page = pageOf(request.query);
      const caller = callerOf(request);
      // Drivers see the same chargers: the public ones of their networks.
      const scope = [caller.networks, seesPublicOnly(caller)];
      return items.send(request, reply, scope, {
        async find() {
          const { rows, total } = await findDriverChargers(deps, caller, filter, page);
          return { places: rows, rest: { pagination: paginationOf(page, total) } };
        },
        read: (places) => readDriverChargers(deps, caller, places),
      });
    },
  });

  app.route({
    method: 'GET',
    url: '/chargers/:id',
    config: { scope: 'emsp:read' },
    schema: {
      operationId: 'findCharger',
      summary: 'Get a charger with its connectors',
      description: whoSees,
      params: idParams('Charger', 'id'),
      response: { 200: Charger, ...problems('Charger', 'CHARGER_NOT_FOUND') },
    },
    handler: async (request, reply) => {
      const { id } = request.params;
      const { json } = await chargers.read(id, driverChargerItem(deps, callerOf(request), id));
      return sendItem(reply, json);
    },
  });

  app.route({
    method: 'GET',
    url: '/connectors/:id/status',
    config: { scope: 'emsp:read' },
    schema: {
      operationId: 'getConnectorStatus',
      summary: 'Get the status of a connector',
      description: whoSees,
      params: idParams('Charger', 'id'),
      response: { 200: ConnectorStatus, ...problems('Connector', 'CONNECTOR_NOT_FOUND') },
    },
    handler: async (request, reply) => {
      const { id } = request.params;
      const caller = callerOf(request);
      // Drivers see only their own session there.
      const key = caller.userId === null ? id : `${id} ${caller.userId}`;
      const { json } = await connectors.read(key, connectorStatusItem(deps, caller, id));
      return sendItem(reply, json);
    },
  });
}
