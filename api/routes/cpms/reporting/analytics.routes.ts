import { type TSchema, Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { callerOf } from '#api/plugins/auth.ts';
import { cpmsErrors } from '#api/plugins/openapi/error-schemas.ts';
import { currencyQuery, headlineRule, periodQuery, windowQuery } from '#api/routes/analytics-query.ts';
import {
  readSessionAnalytics,
  readUptime,
  readUtilization,
} from '#api/services/reporting/analytics.service.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import { Energy, Kpis, Revenue, Sessions, Uptime, Utilization } from './analytics-schema.ts';
import {
  energyView,
  kpisView,
  revenueView,
  sessionsView,
  uptimeView,
  utilizationView,
} from './analytics-view.ts';
import { Envelope, success } from '#api/routes/cpms/kernel/envelope.ts';
import { networkOf, networkQuery } from '#api/routes/cpms/kernel/network-query.ts';

const scope = 'cpms:read:analytics';

const counting =
  'A session counts at its end, with its current energy and price, amendments included. Sums include a ' +
  'session seconds after its end.';

const currencies = `${headlineRule} \`totals\` lists every currency. Sessions without a tariff have no price, and the latest sessions have none yet; \`unpricedSessions\` counts both.`;

function described<Data extends TSchema>(operationId: string, summary: string, data: Data, description = '') {
  return {
    operationId,
    summary,
    ...(description !== '' && { description }),
    response: { 200: Envelope(data, 'The values of the window.'), ...cpmsErrors('NETWORK_NOT_FOUND') },
  };
}

/** Registers the routes of analytics for operators. */
export function analyticsRoutes(app: App, deps: ApiDeps): void {
  const querystring = Type.Object({ ...windowQuery, ...networkQuery, ...periodQuery });

  app.route({
    method: 'GET',
    url: '/analytics/revenue',
    config: { scope },
    schema: {
      querystring: Type.Object({ ...windowQuery, ...networkQuery, ...periodQuery, ...currencyQuery }),
      ...described('getRevenue', 'Get the revenue, VAT included', Revenue, `${counting} ${currencies}`),
    },
    handler: async (request) =>
      success(
        revenueView(
          await readSessionAnalytics(deps, callerOf(request), analyticsQueryOf(request.query)),
          request.query.currency,
        ),
      ),
  });

  app.route({
    method: 'GET',
    url: '/analytics/energy',
    config: { scope },
    schema: { querystring, ...described('getEnergy', 'Get the delivered energy', Energy, counting) },
    handler: async (request) =>
      success(
        energyView(await readSessionAnalytics(deps, callerOf(request), analyticsQueryOf(request.query))),
      ),
  });

  app.route({
    method: 'GET',
    url: '/analytics/sessions',
    config: { scope },
    schema: { querystring, ...described('countSessions', 'Count the ended sessions', Sessions, counting) },
    handler: async (request) =>
      success(
        sessionsView(await readSessionAnalytics(deps, callerOf(request), analyticsQueryOf(request.query))),
      ),
  });

  app.route({
    method: 'GET',
    url: '/analytics/utilization',
    config: { scope },
    schema: {
      querystring,
      ...described(
        'getUtilization',
        'Get the utilization of connectors',
        Utilization,
        'The utilization is the share of time in which a session is charging, not idle; of running sessions until ' +
          'now. Overlapping sessions at one connector count once. A connector counts while it exists, and future ' +
          'time does not count.',
      ),
    },
    handler: async (request) =>
      success(
        utilizationView(await readUtilization(deps, callerOf(request), analyticsQueryOf(request.query))),
      ),
  });

  app.route({
    method: 'GET',
    url: '/analytics/uptime',
    config: { scope },
    schema: {
      querystring: Type.Object(networkQuery),
      ...described(
        'getUptime',
        'Get the current states of the chargers',
        Uptime,
        'A charger is offline when it is not connected or sent no message for 5 minutes, whatever its status. A ' +
          'charger that is online and neither available nor charging (reserved, faulted, …) counts only in the ' +
          'total.',
      ),
    },
    handler: async (request) =>
      success(uptimeView(await readUptime(deps, callerOf(request), networkOf(request.query)))),
  });

  app.route({
    method: 'GET',
    url: '/analytics/kpis',
    config: { scope },
    schema: {
      querystring: Type.Object({ ...windowQuery, ...networkQuery, ...currencyQuery }),
      ...described('getKpis', 'Get the key figures of a window', Kpis, `${counting} ${currencies}`),
    },
    handler: async (request) =>
      success(
        // No periods are reported: the longest period needs the fewest rows.
        kpisView(
          await readSessionAnalytics(deps, callerOf(request), {
            ...analyticsQueryOf(request.query),
            period: 'month',
          }),
          request.query.currency,
        ),
      ),
  });
}

function analyticsQueryOf<Query extends { networkId?: string; networkUuid?: string }>(query: Query) {
  const { networkId: _id, networkUuid: _uuid, ...rest } = query;
  return { ...rest, networkId: networkOf(query) };
}
