import { queryOptions } from '@tanstack/react-query';
import { api, bodies, type Schemas } from '../../api/client.ts';

type Network = { networkUuid?: string };

/** Filters of the list in its address. */
export interface LocationsSearch {
  search?: string;
  /** `true` or `false`; left out: both. */
  published?: string;
}

/** Page of the locations that match. */
export const readLocations = (
  { search, published }: LocationsSearch,
  network: Network,
  cursor: string | undefined,
) =>
  bodies.GET('/cpms/v1/locations', {
    params: {
      query: {
        ...network,
        pageSize: 100,
        search,
        ...(published !== undefined && { isPublished: published === 'true' }),
        cursor,
      },
    },
  });

export const locationQuery = (uuid: string) =>
  queryOptions({
    queryKey: ['locations', 'one', uuid],
    queryFn: () => api.GET('/cpms/v1/locations/{uuid}', { params: { path: { uuid } } }),
  });

/** Counts of the chargers at a location. */
export const chargersAtQuery = (locationUuid: string) =>
  queryOptions({
    queryKey: ['chargers', 'at', locationUuid],
    queryFn: () => api.GET('/cpms/v1/chargers', { params: { query: { locationUuid, pageSize: 100 } } }),
    refetchInterval: 15_000,
  });

/** Changes fields of a location that is unchanged since it was read. */
export const changeLocation = (
  { id, version }: Pick<Schemas['Location'], 'id' | 'version'>,
  change: Schemas['UpdateLocationRequest'],
) =>
  api.PATCH('/cpms/v1/locations/{uuid}', {
    params: { path: { uuid: id }, header: { 'if-match': `"${version}"` } },
    body: change,
  });
