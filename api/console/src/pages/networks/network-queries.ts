import { queryOptions } from '@tanstack/react-query';
import { api } from '../../api/client.ts';

export const networkQuery = (uuid: string) =>
  queryOptions({
    queryKey: ['networks', uuid],
    queryFn: () => api.GET('/cpms/v1/networks/{uuid}', { params: { path: { uuid } } }),
  });

export const trustedQuery = (uuid: string) =>
  queryOptions({
    queryKey: ['networks', uuid, 'trusted-certificates'],
    queryFn: () => api.GET('/cpms/v1/networks/{uuid}/trusted-certificates', { params: { path: { uuid } } }),
  });
