import { type TSchema, Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { callerOf } from '#api/plugins/auth.ts';
import { cpmsErrors } from '#api/plugins/openapi/error-schemas.ts';
import { currencyQuery, headlineRule, periodQuery, windowQuery } from '#api/routes/analytics-query.ts';
import { readSessionAnalytics, readUptime, readUtilization } from '#api/services/reporting/analytics.ts';
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
  'A session counts at its end, with the energy and the price that it has now, should they have been amended. It is in ' +
  'the sums seconds after it ended.';

const currencies =
  `${headlineRule} \`totals\` lists every currency. ` +
  'Sessions without a tariff have no price, and the latest none yet; they are counted as unpricedSessions.';

function described<Data extends TSchema>(operationId: string, summary: string, data: Data, description = '') {
  return {
    tags: ['reporting'],
    operationId,
    summary,
    ...(description !== '' && { description }),
    response: { 200: Envelope(data, summary), ...cpmsErrors('NETWORK_NOT_FOUND') },
  };
}

/** What the networks of an operator earn, deliver and are used for. */
export function analyticsRoutes(app: App, deps: ApiDeps): void {
  const querystring = Type.Object({ ...windowQuery, ...networkQuery, ...periodQuery });

  app.route({
    method: 'GET',
    url: '/analytics/revenue',
    config: { scope },
    schema: {
      querystring: Type.Object({ ...windowQuery, ...networkQuery, ...periodQuery, ...currencyQuery }),
      ...described('getRevenue', 'What was billed, VAT included', Revenue, `${counting} ${currencies}`),
    },
    handler: async (request) =>
      success(
        revenueView(
          await readSessionAnalytics(deps, callerOf(request), asked(request.query)),
          request.query.currency,
        ),
      ),
  });

  app.route({
    method: 'GET',
    url: '/analytics/energy',
    config: { scope },
    schema: { querystring, ...described('getEnergy', 'The energy that was delivered', Energy, counting) },
    handler: async (request) =>
      success(energyView(await readSessionAnalytics(deps, callerOf(request), asked(request.query)))),
  });

  app.route({
    method: 'GET',
    url: '/analytics/sessions',
    config: { scope },
    schema: { querystring, ...described('countSessions', 'The sessions that ended', Sessions, counting) },
    handler: async (request) =>
      success(sessionsView(await readSessionAnalytics(deps, callerOf(request), asked(request.query)))),
  });

  app.route({
    method: 'GET',
    url: '/analytics/utilization',
    config: { scope },
    schema: {
      querystring,
      ...described(
        'getUtilization',
        'How much of their time connectors charged',
        Utilization,
        'Charging is the time of a session that is not idle, of running ones until now; sessions that overlap at one ' +
          'connector count once. A connector counts while it exists, and time to come does not count.',
      ),
    },
    handler: async (request) =>
      success(utilizationView(await readUtilization(deps, callerOf(request), asked(request.query)))),
  });

  app.route({
    method: 'GET',
    url: '/analytics/uptime',
    config: { scope },
    schema: {
      querystring: Type.Object(networkQuery),
      ...described(
        'getUptime',
        'The states of the chargers now',
        Uptime,
        'A charger is offline when it is not connected or was not heard for 5 minutes, whatever its status says. One that is ' +
          'online and neither available nor charging (reserved, faulted, …) is in the total alone.',
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
      ...described('getKpis', 'The key figures of a window', Kpis, `${counting} ${currencies}`),
    },
    handler: async (request) =>
      success(
        // Of the buckets nothing is told: the longer, the fewer.
        kpisView(
          await readSessionAnalytics(deps, callerOf(request), { ...asked(request.query), period: 'month' }),
          request.query.currency,
        ),
      ),
  });
}

function asked<Query extends { networkId?: string; networkUuid?: string }>(query: Query) {
  const { networkId: _id, networkUuid: _uuid, ...rest } = query;
  return { ...rest, networkId: networkOf(query) };
}
