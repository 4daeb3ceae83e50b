import { Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { actorOf } from '#api/plugins/auth.ts';
import { cpmsErrors } from '#api/plugins/openapi/error-schemas.ts';
import { Envelope, success } from '#api/routes/cpms/kernel/envelope.ts';
import { operation } from '#api/routes/operation.ts';
import { Closed, Uuid } from '#api/routes/schema.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import { deleteBound, setBound } from '#api/services/load/load-bounds.service.ts';
import { releaseConnector } from '#api/services/load/load-plans.service.ts';
import { boundFields, Key, LoadSite } from './load-site-schema.ts';
import { siteView } from './load-site-view.ts';

const Body = Closed({
  source: boundFields.source,
  circuitId: Type.Optional(boundFields.circuitId),
  connectorId: Type.Optional(boundFields.connectorId),
  amps: boundFields.amps,
  validFrom: Type.Optional(boundFields.validFrom),
  validUntil: Type.Optional(boundFields.validUntil),
});

const params = Type.Object({
  uuid: Uuid('Site identifier.'),
  boundId: Key('Bound identifier, chosen by the caller.', 'grid-operator'),
});

const date = (text: string | null | undefined) =>
  text === null || text === undefined ? null : new Date(text);

/** Registers the routes of external bounds, and of the release of a connector. */
export function loadBoundRoutes(app: App, deps: ApiDeps): void {
  operation(app, 'PUT /load-sites/:uuid/bounds/:boundId', 'cpms:write:load-sites', {
    operationId: 'setLoadBound',
    summary: 'Set an external bound on the charging of a site',
    description:
      'Bounds the charging of a circuit or of a connector, such as an order of the grid operator. Replaces the bound with this ' +
      'identifier. A power of P W is P / 230 A on one phase, and P / 690 A on each of three.',
    params,
    body: Body,
    response: { 200: Envelope(LoadSite, 'The site with the bound.'), ...cpmsErrors('LOAD_SITE_NOT_FOUND') },
    handler: async (request) => {
      const { uuid, boundId } = request.params;
      const { source, circuitId = null, connectorId = null, amps, validFrom, validUntil } = request.body;
      const period = { validFrom: date(validFrom), validUntil: date(validUntil) };
      const bound = { source, circuitId, connectorId, amps, ...period };
      return success(siteView(await setBound(deps, actorOf(request), uuid, boundId, bound)));
    },
  });

  operation(app, 'DELETE /load-sites/:uuid/bounds/:boundId', 'cpms:write:load-sites', {
    operationId: 'deleteLoadBound',
    summary: 'Delete an external bound',
    description: 'Limits rise again in steps.',
    params,
    response: {
      200: Envelope(LoadSite, 'The site without the bound.'),
      ...cpmsErrors('LOAD_SITE_NOT_FOUND', 'LOAD_BOUND_NOT_FOUND'),
    },
    handler: async (request) => {
      const { uuid, boundId } = request.params;
      return success(siteView(await deleteBound(deps, actorOf(request), uuid, boundId)));
    },
  });

  operation(app, 'POST /load-sites/:uuid/connectors/:connectorId/release', 'cpms:write:load-sites', {
    operationId: 'releaseLoadConnector',
    summary: 'Trust a connector again that was set aside',
    description:
      'A connector is set aside when its readings exceed its limit, and counts at its maximum since then. Repair the station first: ' +
      'it is set aside again while its readings exceed its limit. A repeat changes nothing.',
    params: Type.Object({ uuid: Uuid('Site identifier.'), connectorId: Uuid('Connector identifier.') }),
    response: {
      200: Envelope(LoadSite, 'The site after the release.'),
      ...cpmsErrors('LOAD_SITE_NOT_FOUND', 'CONNECTOR_NOT_FOUND'),
    },
    handler: async (request) => {
      const { uuid, connectorId } = request.params;
      return success(siteView(await releaseConnector(deps, actorOf(request), uuid, connectorId)));
    },
  });
}
