import { queryOptions } from '@tanstack/react-query';
import { api } from '../../api/client.ts';

/** Models that match, by manufacturer and name. A catalog has at most some hundred. */
export const modelsQuery = (search: string | undefined, manufacturerId: string | undefined) =>
  queryOptions({
    queryKey: ['models', 'list', search, manufacturerId],
    queryFn: () =>
      api.GET('/cpms/v1/charger-models', { params: { query: { pageSize: 100, search, manufacturerId } } }),
  });

export const manufacturersQuery = queryOptions({
  queryKey: ['manufacturers'],
  queryFn: () => api.GET('/cpms/v1/manufacturers', { params: { query: { pageSize: 100 } } }),
});

export const modelQuery = (id: string) =>
  queryOptions({
    queryKey: ['models', 'one', id],
    queryFn: () => api.GET('/cpms/v1/charger-models/{id}', { params: { path: { id } } }),
  });

export const overridesQuery = (id: string) =>
  queryOptions({
    queryKey: ['models', 'overrides', id],
    queryFn: () => api.GET('/cpms/v1/charger-models/{id}/meter-overrides', { params: { path: { id } } }),
  });
