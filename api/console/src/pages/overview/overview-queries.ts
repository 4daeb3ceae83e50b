import { queryOptions } from '@tanstack/react-query';
import { api } from '../../api/client.ts';

/** Network to show; left out: all networks of the caller. */
export interface NetworkQuery {
  networkUuid?: string;
}

export const fleetCountsQuery = (query: NetworkQuery) =>
  queryOptions({
    queryKey: ['fleet-counts', query],
    queryFn: () => api.GET('/cpms/v1/chargers/summary', { params: { query } }),
    refetchInterval: 30_000,
  });

export const todayQuery = (query: NetworkQuery & { timeZone: string }) =>
  queryOptions({
    queryKey: ['today', query],
    queryFn: () => api.GET('/cpms/v1/analytics/today', { params: { query } }),
    refetchInterval: 30_000,
  });

/** Mean powers of the last 24 hours: a new quarter of an hour is shown within five minutes. */
export const powerQuery = (query: NetworkQuery) =>
  queryOptions({
    queryKey: ['power', query],
    queryFn: () => api.GET('/cpms/v1/analytics/power', { params: { query } }),
    refetchInterval: 300_000,
  });

/** Newest open alerts of the work list, which loads them again with its own records. */
export const openAlertsQuery = (query: NetworkQuery) =>
  queryOptions({
    queryKey: ['alerts', 'open', query],
    queryFn: () =>
      api.GET('/cpms/v1/alerts', { params: { query: { ...query, status: 'open', pageSize: 3 } } }),
  });
