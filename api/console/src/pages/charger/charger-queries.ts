import { queryOptions } from '@tanstack/react-query';
import { api } from '../../api/client.ts';

export const chargerQuery = (uuid: string) =>
  queryOptions({
    queryKey: ['charger', uuid],
    queryFn: () => api.GET('/cpms/v1/chargers/{uuid}', { params: { path: { uuid } } }),
    // Keeps the time of the last message true.
    refetchInterval: 30_000,
  });

/** Running sessions of a charger, one for each connector that charges. */
export const runningSessionsQuery = (chargerId: string) =>
  queryOptions({
    queryKey: ['sessions', 'running', chargerId],
    queryFn: () =>
      api.GET('/cpms/v1/sessions', { params: { query: { chargerId, status: 'ACTIVE', pageSize: 20 } } }),
    refetchInterval: 15_000,
  });
