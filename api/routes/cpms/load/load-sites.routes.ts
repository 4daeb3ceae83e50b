import { Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { callerOf } from '#api/plugins/auth.ts';
import { cpmsErrors } from '#api/plugins/openapi/error-schemas.ts';
import { CursorEnvelope, successSlice } from '#api/routes/cpms/kernel/envelope.ts';
import { networkOf, networkQuery } from '#api/routes/cpms/kernel/network-query.ts';
import { VersionedResource } from '#api/routes/cpms/kernel/versioned-resource.ts';
import { operation } from '#api/routes/operation.ts';
import { cursorOf, cursorQuery } from '#api/routes/schema.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import {
  changeSite,
  createSite,
  deleteSite,
  type LoadSiteRecord,
  loadSites,
  readSites,
} from '#api/services/load/load-sites.service.ts';
import { circuitsOf, connectorsOf, NewSite, settingsOf, SiteEdit } from './load-site-requests.ts';
import { LoadSite, LoadSiteSummary } from './load-site-schema.ts';
import { siteView, summaryView } from './load-site-view.ts';

const answerOf = (site: LoadSiteRecord) => [site, siteView(site)] as const;

const unsafe =
  'A tree with defects is refused (422): `details.problems` has each with its `kind`, `circuitId`, `connectorId` and a `message`. ' +
  'The fallbacks of all stations and the highest other load must fit each circuit at any time of day.';

/** Registers the routes of sites with load management. */
export function loadSiteRoutes(app: App, deps: ApiDeps): void {
  const resource = new VersionedResource(app, {
    path: '/load-sites',
    name: 'Site',
    scopes: { read: 'cpms:read:load-sites', write: 'cpms:write:load-sites' },
    notFound: 'LOAD_SITE_NOT_FOUND',
  });

  operation(app, 'GET /load-sites', 'cpms:read:load-sites', {
    operationId: 'listLoadSites',
    summary: 'List the sites with load management, oldest first',
    description: "Sites of the caller's networks, enabled or not.",
    querystring: Type.Object({ ...cursorQuery, ...networkQuery }),
    response: {
      200: CursorEnvelope(LoadSiteSummary, 'One page of sites.'),
      ...cpmsErrors('NETWORK_NOT_FOUND'),
    },
    handler: async (request) => {
      const query = { ...cursorOf(request.query), networkUuid: networkOf(request.query) };
      const { rows, nextCursor } = await readSites(deps, callerOf(request), query);
      return successSlice(rows.map(summaryView), nextCursor);
    },
  });

  resource.get({
    operationId: 'getLoadSite',
    summary: 'Get a site with load management',
    description: 'The site with its circuits, connectors and external bounds. Its limits are at `/plan`.',
    answer: [LoadSite, 'The site.'],
    read: async (caller, uuid) => answerOf(await loadSites.require(deps.sql, caller.networks, uuid)),
  });

  resource.post({
    operationId: 'createLoadSite',
    summary: 'Create a site with load management',
    description: `A new site is disabled unless \`isEnabled\` is true. ${unsafe}`,
    body: NewSite,
    answer: [LoadSite, 'The created site.'],
    errors: ['NETWORK_NOT_FOUND', 'LOAD_SITE_UNSAFE'],
    create: async (by, { networkUuid, name, locationId = null, isEnabled = false, settings = {}, ...tree }) =>
      answerOf(
        await createSite(deps, by, networkUuid, {
          name,
          locationId,
          isEnabled,
          settings: settingsOf(settings),
          circuits: circuitsOf(tree.circuits),
          connectors: connectorsOf(tree.connectors),
        }),
      ),
  });

  resource.patch({
    operationId: 'updateLoadSite',
    summary: 'Update a site with load management',
    description:
      'Omitted fields stay. `circuits` and `connectors` are replaced as whole lists; a connector that stays keeps its state. ' +
      `What an external bound applies to cannot be removed. ${unsafe}`,
    body: SiteEdit,
    answer: [LoadSite, 'The site after the change.'],
    errors: ['LOAD_SITE_IN_USE', 'LOAD_SITE_UNSAFE'],
    change: async (by, uuid, expected, { settings, circuits, connectors, ...details }) =>
      answerOf(
        await changeSite(deps, by, uuid, expected, (before) => ({
          ...details,
          ...(settings && { settings: settingsOf(settings, before.settings) }),
          ...(circuits && { circuits: circuitsOf(circuits) }),
          ...(connectors && { connectors: connectorsOf(connectors) }),
        })),
      ),
  });

  resource.delete({
    operationId: 'deleteLoadSite',
    summary: 'Delete a site with load management',
    description:
      'Its stations get no more limits. Limits that were sent expire, and the fallbacks stay in force.',
    answer: 'The site is deleted.',
    remove: async (by, uuid, expected) => deleteSite(deps, by, uuid, expected),
  });
}
