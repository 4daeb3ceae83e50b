import { queryOptions } from '@tanstack/react-query';
import { api, bodies } from '../../api/client.ts';
import { keepWithin } from '../../api/keep-within.ts';
import { type ChargersSearch, filterQuery, sortOf, sortText } from './chargers-search.ts';

/** Rows of a page of the API, of which the list loads those in view. */
export const pageSize = 100;

const renewMs = 15_000;

type Network = { networkUuid?: string };

/** Page of the chargers that match, from 1 on. */
export const pageQuery = (search: ChargersSearch, network: Network, page: number) =>
  queryOptions({
    queryKey: ['chargers', 'page', network, filterQuery(search), sortOf(search), page],
    queryFn: ({ signal }) =>
      bodies.GET('/cpms/v1/chargers', {
        params: {
          query: { ...network, ...filterQuery(search), sort: sortText(sortOf(search)), page, pageSize },
        },
        signal,
      }),
    refetchInterval: renewMs,
    gcTime: 60_000,
  });

/** Counts of the chargers that match the other filters, whatever their state. */
export function countsQuery(search: ChargersSearch, network: Network) {
  const filters = filterQuery({ ...search, state: '' });
  return queryOptions({
    queryKey: ['chargers', 'counts', network, filters],
    queryFn: ({ signal }) =>
      api.GET('/cpms/v1/chargers/summary', { params: { query: { ...network, ...filters } }, signal }),
    placeholderData: keepWithin('chargers', 'counts', network),
    refetchInterval: renewMs,
  });
}

/** Returns the address of the same list as CSV, which the server streams. */
export function csvAddress(search: ChargersSearch, network: Network): string {
  const query = { ...network, ...filterQuery(search), sort: sortText(sortOf(search)) };
  const entries = Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]);
  return `/cpms/v1/chargers/export?${new URLSearchParams(entries).toString()}`;
}
