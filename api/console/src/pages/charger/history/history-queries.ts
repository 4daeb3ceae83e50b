import { queryOptions } from '@tanstack/react-query';
import { api } from '../../../api/client.ts';
import { keepWithin } from '../../../api/keep-within.ts';
import { advanceMs, boundsOf, type HistoryRange, rangeKey } from './history-range.ts';

/** Most intervals of a row of the status band. */
const maxIntervals = 600;

/** Shown data stays while another range is read; a range up to now is read again as it advances. */
function settings(key: readonly [string, string, string], range: HistoryRange, points: number) {
  return {
    queryKey: [...key, rangeKey(range), points],
    placeholderData: keepWithin(...key),
    staleTime: range.fixed === null ? 5000 : 60_000,
    refetchInterval: advanceMs(range, points),
  };
}

export const seriesQuery = (uuid: string, range: HistoryRange, points: number) =>
  queryOptions({
    queryFn: ({ signal }) =>
      api.GET('/cpms/v1/chargers/{uuid}/meter-series', {
        params: { path: { uuid }, query: { ...boundsOf(range), points } },
        signal,
      }),
    ...settings(['charger-history', uuid, 'series'], range, points),
  });

export const intervalsQuery = (uuid: string, range: HistoryRange, points: number) =>
  queryOptions({
    queryFn: ({ signal }) =>
      api.GET('/cpms/v1/chargers/{uuid}/status-intervals', {
        params: { path: { uuid }, query: { ...boundsOf(range), points: Math.min(points, maxIntervals) } },
        signal,
      }),
    ...settings(['charger-history', uuid, 'intervals'], range, points),
  });

export const messageCountsQuery = (uuid: string, range: HistoryRange, points: number) =>
  queryOptions({
    queryFn: ({ signal }) =>
      api.GET('/cpms/v1/chargers/{uuid}/messages/counts', {
        params: { path: { uuid }, query: { ...boundsOf(range), points } },
        signal,
      }),
    ...settings(['charger-history', uuid, 'messages'], range, points),
  });
