import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api, bodies } from '../../api/client.ts';
import { notify } from '../../ui/toast.tsx';
import { type AlertsSearch, filterQuery } from './alerts-search.ts';

type Network = { networkUuid?: string };

const pageSize = 50;

/** Page of the alerts that match, newest first. */
export const readAlerts = (search: AlertsSearch, network: Network, cursor: string | undefined) =>
  bodies.GET('/cpms/v1/alerts', {
    params: { query: { ...network, ...filterQuery(search), pageSize, cursor } },
  });

export const alertQuery = (uuid: string) =>
  queryOptions({
    queryKey: ['alerts', 'detail', uuid],
    queryFn: () => api.GET('/cpms/v1/alerts/{uuid}', { params: { path: { uuid } } }),
  });

export const rulesQuery = (network: Network) =>
  queryOptions({
    queryKey: ['alert-rules', network],
    queryFn: () => api.GET('/cpms/v1/alert-rules', { params: { query: network } }),
  });

/** Page of the mutes that are not over, newest first. */
export const readMutes = (network: Network, cursor: string | undefined) =>
  bodies.GET('/cpms/v1/alert-mutes', { params: { query: { ...network, pageSize, cursor } } });

const operations = {
  acknowledge: '/cpms/v1/alerts/{uuid}/acknowledge',
  resolve: '/cpms/v1/alerts/{uuid}/resolve',
} as const;

/** Acknowledges and resolves alerts. */
export function useSettling() {
  const { t } = useTranslation('alerts');
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ id, action, note }: { id: string; action: keyof typeof operations; note?: string }) =>
      api.POST(operations[action], {
        params: { path: { uuid: id } },
        body: note === undefined || note === '' ? {} : { note },
      }),
    onSuccess: (_alert, { action }) =>
      notify('done', t(action === 'acknowledge' ? 'panel.isAcknowledged' : 'panel.isResolved')),
    onError: (error) => notify('failed', error.message),
    onSettled: () => queries.invalidateQueries({ queryKey: ['alerts'] }),
  });
}
