import { queryOptions } from '@tanstack/react-query';
import { api } from '../../api/client.ts';

export const driverQuery = (uuid: string) =>
  queryOptions({
    queryKey: ['driver', uuid],
    queryFn: () => api.GET('/cpms/v1/users/{uuid}', { params: { path: { uuid } } }),
  });
