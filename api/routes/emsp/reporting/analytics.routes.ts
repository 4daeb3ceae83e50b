import { Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { callerOf } from '#api/plugins/auth.ts';
import { problems } from '#api/plugins/openapi/error-schemas.ts';
import { currencyQuery, headlineRule, periodQuery, windowQuery } from '#api/routes/analytics-query.ts';
import { operation } from '#api/routes/operation.ts';
import { readCallerAnalytics } from '#api/services/reporting/analytics.service.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import {
  EnergyAnalytics,
  energyView,
  RevenueAnalytics,
  revenueView,
  SessionAnalytics,
  sessionsView,
} from './analytics-view.ts';

const counting =
  'Driver keys see their own sessions, operator keys the sessions of their networks. A session counts at its end, ' +
  'on the local date of its network, with its current energy and price.';

/** Registers the routes of analytics for drivers and operators. */
export function analyticsRoutes(app: App, deps: ApiDeps): void {
  const querystring = Type.Object({ ...windowQuery, ...periodQuery });

  operation(app, 'GET /analytics/sessions', 'emsp:read', {
    operationId: 'getSessionAnalytics',
    summary: 'Get session counts, averages and a time series',
    description: counting,
    querystring,
    response: { 200: SessionAnalytics, ...problems('Analytics') },
    handler: async (request) =>
      sessionsView(await readCallerAnalytics(deps, callerOf(request), request.query)),
  });

  operation(app, 'GET /analytics/revenue', 'emsp:read', {
    operationId: 'getRevenueAnalytics',
    summary: 'Get revenue totals, averages and a time series by currency',
    description: `${counting} ${headlineRule} \`currencies\` lists every currency.`,
    querystring: Type.Object({ ...windowQuery, ...periodQuery, ...currencyQuery }),
    response: { 200: RevenueAnalytics, ...problems('Analytics') },
    handler: async (request) =>
      revenueView(await readCallerAnalytics(deps, callerOf(request), request.query), request.query.currency),
  });

  operation(app, 'GET /analytics/energy', 'emsp:read', {
    operationId: 'getEnergyAnalytics',
    summary: 'Get energy totals and a time series',
    description: counting,
    querystring,
    response: { 200: EnergyAnalytics, ...problems('Analytics') },
    handler: async (request) => energyView(await readCallerAnalytics(deps, callerOf(request), request.query)),
  });
}
