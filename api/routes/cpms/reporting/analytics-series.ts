import { type Static, Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { callerOf } from '#api/plugins/auth.ts';
import { cpmsErrors } from '#api/plugins/openapi/error-schemas.ts';
import { DateTime, Decimal, Integer, Named, Nullable, OneOf } from '#api/routes/schema.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import { type Bin, readHours, readSeries } from '#api/services/reporting/series.service.ts';
import { usePercent } from '#api/services/reporting/utilization.ts';
import { Envelope, success } from '#api/routes/cpms/kernel/envelope.ts';
import {
  counting,
  hours,
  meanFields,
  meansView,
  sliceFields,
  sliceQuery,
  sliceQueryOf,
  sliceView,
  sumFields,
  sumsView,
  tariffQuery,
} from './slice-fields.ts';

const scope = 'cpms:read:analytics';

const useFields = {
  utilizationPercent: Nullable(
    Decimal(
      'Share of the time of the connectors in which a session is charging, to 2 decimals. Null with a tariff.',
      12.5,
    ),
  ),
  chargingHours: Nullable(Decimal('Time charging of all connectors in hours. Null with a tariff.', 31.2)),
};

const Value = Named('SeriesValue', {
  from: DateTime('Start of the period, cut to the window.'),
  to: DateTime('End of the period, exclusive.'),
  ...sumFields,
  ...useFields,
});

const period = OneOf(
  ['hour', 'day', 'week', 'month'],
  'Length of a period: hours, days, weeks from Monday (ISO 8601) or months, as the clocks of the time zone show them.',
);

const Series = Named('AnalyticsSeries', {
  ...sliceFields,
  period,
  totals: Type.Object({ ...sumFields, ...meanFields, ...useFields }, { description: 'Sums of the window.' }),
  values: Type.Array(Value, { description: 'Values by period, without gaps.' }),
});

const Cell = Named('HeatMapCell', {
  weekday: Integer('Day of the week, from 1 for Monday (ISO 8601).', 1, { minimum: 1, maximum: 7 }),
  hour: Integer('Hour of the local day.', 17, { minimum: 0, maximum: 23 }),
  ...sumFields,
  ...useFields,
});

const HeatMap = Named('AnalyticsHeatMap', {
  ...sliceFields,
  cells: Type.Array(Cell, { description: 'All 168 hours of the week, Monday first.' }),
});

/** Registers the routes of analytics over time: a series, and the hours of the week. */
export function analyticsSeriesRoutes(app: App, deps: ApiDeps): void {
  app.route({
    method: 'GET',
    url: '/analytics/series',
    config: { scope },
    schema: {
      operationId: 'getAnalyticsSeries',
      summary: 'Get energy, revenue, sessions and utilization over time',
      description: `${counting} At most 10,000 values, and 50,000 over all networks: the number of values times the number of networks.`,
      querystring: Type.Object({
        ...sliceQuery,
        ...tariffQuery,
        period: Type.Optional({ ...period, default: 'day' as const }),
      }),
      response: {
        200: Envelope(Series, 'Values of the window.'),
        ...cpmsErrors('NETWORK_NOT_FOUND', 'STORE_UNAVAILABLE'),
      },
    },
    handler: async (request) => {
      const query = { period: 'day' as const, ...sliceQueryOf(request.query) };
      const { slice, bins } = await readSeries(deps, callerOf(request), query);
      const all = bins.flatMap(({ sums }) => sums);
      return success({
        ...sliceView(slice),
        period: query.period,
        totals: { ...sumsView(all), ...meansView(all), ...useView(bins) },
        values: bins.map((bin) => ({
          from: new Date(bin.from).toISOString(),
          to: new Date(bin.to).toISOString(),
          ...sumsView(bin.sums),
          ...useView([bin]),
        })),
      });
    },
  });

  app.route({
    method: 'GET',
    url: '/analytics/heat-map',
    config: { scope },
    schema: {
      operationId: 'getAnalyticsHeatMap',
      summary: 'Get sessions, energy and utilization by hour and weekday',
      description: `${counting} Add \`endedWeekday\`, \`endedHour\` and \`timeZone\` for the sessions of a cell. At most 10,000 hours, and 50,000 over all networks.`,
      querystring: Type.Object({ ...sliceQuery, ...tariffQuery }),
      response: {
        200: Envelope(HeatMap, 'Values of the window.'),
        ...cpmsErrors('NETWORK_NOT_FOUND', 'STORE_UNAVAILABLE'),
      },
    },
    handler: async (request) => {
      const { slice, bins } = await readHours(deps, callerOf(request), sliceQueryOf(request.query));
      const byCell = Map.groupBy(bins, ({ weekday, hour }) => (weekday - 1) * 24 + hour);
      const cells = Array.from({ length: 168 }, (_, index): Static<typeof Cell> => {
        const some = byCell.get(index) ?? [];
        const place = { weekday: Math.floor(index / 24) + 1, hour: index % 24 };
        return { ...place, ...sumsView(some.flatMap(({ sums }) => sums)), ...useView(some) };
      });
      return success({ ...sliceView(slice), cells });
    },
  });
}

function useView(bins: readonly Bin[]) {
  const uses = bins.flatMap(({ use }) => (use === null ? [] : [use]));
  if (uses.length < bins.length) return { utilizationPercent: null, chargingHours: null };
  return {
    utilizationPercent: usePercent(uses),
    chargingHours: hours(uses.reduce((total, { chargingMs }) => total + chargingMs, 0)),
  };
}
