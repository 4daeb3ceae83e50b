import { queryOptions } from '@tanstack/react-query';
import { allPages } from '../../../api/all-pages.ts';
import { api, bodies } from '../../../api/client.ts';

const pageSize = 1000;

/** Configuration, read from the charger. Each request is a message to it, so nothing but a press repeats it. */
export const configurationQuery = (chargerUuid: string) =>
  queryOptions({
    queryKey: ['configuration', chargerUuid],
    queryFn: () =>
      api.GET('/cpms/v1/chargers/{chargerUuid}/configuration', { params: { path: { chargerUuid } } }),
    staleTime: Infinity,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    retry: false,
  });

/** Device model as the charger reported it last. */
export const deviceModelQuery = (chargerUuid: string) =>
  queryOptions({
    queryKey: ['device-model', chargerUuid],
    queryFn: () =>
      allPages((cursor) =>
        bodies.GET('/cpms/v1/chargers/{chargerUuid}/device-model', {
          params: { path: { chargerUuid }, query: { pageSize, cursor } },
        }),
      ),
    staleTime: 60_000,
    refetchOnWindowFocus: false,
  });

/** Requests a full report of the device model; it arrives in messages of its own. */
export function requestReport(chargerUuid: string) {
  return api.POST('/cpms/v1/chargers/{chargerUuid}/ocpp/{action}', {
    params: { path: { chargerUuid, action: 'GetBaseReport' } },
    body: { requestId: Math.floor(Date.now() / 1000) % 2 ** 31, reportBase: 'FullInventory' },
  });
}
