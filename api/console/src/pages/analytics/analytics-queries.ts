import { queryOptions } from '@tanstack/react-query';
import { api, type Schemas } from '../../api/client.ts';
import { keepWithin } from '../../api/keep-within.ts';
import {
  type AnalyticsSearch,
  filtersOf,
  iso,
  type Kind,
  knownOr,
  orders,
  type Period,
  ranks,
  type Window,
} from './analytics-search.ts';

export type Series = Schemas['AnalyticsSeries'];
export type Sums = Pick<Series['totals'], 'sessions' | 'energyKwh' | 'revenue' | 'utilizationPercent'>;
export type Group = Schemas['BreakdownGroup'];

interface Network {
  networkUuid?: string;
}

const sliceOf = (search: AnalyticsSearch, network: Network, { from, to }: Window) => ({
  ...network,
  ...filtersOf(search),
  from: iso(from),
  to: iso(to),
});

/** Sums of a window over time. */
export function seriesQuery(
  search: AnalyticsSearch,
  network: Network,
  { window, period, timeZone }: { window: Window; period: Period; timeZone: string },
) {
  const query = { ...sliceOf(search, network, window), period, timeZone };
  return queryOptions({
    queryKey: ['analytics', 'series', network, query],
    queryFn: () => api.GET('/cpms/v1/analytics/series', { params: { query } }),
    placeholderData: keepWithin('analytics', 'series', network),
    staleTime: 60_000,
  });
}

/** Sums by hour and weekday. */
export function heatMapQuery(
  search: AnalyticsSearch,
  network: Network,
  { window, timeZone }: { window: Window; timeZone: string },
) {
  const query = { ...sliceOf(search, network, window), timeZone };
  return queryOptions({
    queryKey: ['analytics', 'heat-map', network, query],
    queryFn: () => api.GET('/cpms/v1/analytics/heat-map', { params: { query } }),
    placeholderData: keepWithin('analytics', 'heat-map', network),
    staleTime: 60_000,
  });
}

const longestMs = 31 * 86_400_000;

/** Returns the part of a window that the availability is read for: its last 31 days. */
export function availabilityWindow({ from, to }: Window): Window {
  return { from: Math.max(from, to - longestMs), to };
}

/** States and faults of connectors, which have no tariff. */
export function availabilityQuery(search: AnalyticsSearch, network: Network, window: Window) {
  const { tariffId: _, ...slice } = sliceOf(search, network, availabilityWindow(window));
  const query = { ...slice, by: 'charger' as const, limit: 10 };
  return queryOptions({
    queryKey: ['analytics', 'availability', network, query],
    queryFn: () => api.GET('/cpms/v1/analytics/availability', { params: { query } }),
    placeholderData: keepWithin('analytics', 'availability', network),
    staleTime: 60_000,
  });
}

/** Rows of a file. */
export const maxGroups = 1000;

/** Sums by location, model, tariff or charger: the highest or lowest. */
export function breakdownQuery(
  search: AnalyticsSearch,
  network: Network,
  { window, by, limit }: { window: Window; by: Kind; limit: number },
) {
  const { currency } = search;
  const query = {
    ...sliceOf(search, network, window),
    by,
    limit,
    sort: knownOr(ranks, search.rank),
    order: knownOr(orders, search.order),
    ...(currency !== undefined && /^[A-Z]{3}$/.test(currency) ? { currency } : {}),
  };
  return queryOptions({
    queryKey: ['analytics', 'breakdown', network, query],
    queryFn: () => api.GET('/cpms/v1/analytics/breakdown', { params: { query } }),
    placeholderData: keepWithin('analytics', 'breakdown', network),
    staleTime: 60_000,
  });
}

/** Returns the revenue in a currency. */
export const revenueIn = ({ revenue }: Pick<Sums, 'revenue'>, currency: string) =>
  revenue.find((amount) => amount.currency === currency)?.totalInclVat ?? 0;
