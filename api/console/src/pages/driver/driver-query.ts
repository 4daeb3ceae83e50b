import { queryOptions } from '@tanstack/react-query';
import { api, dataOf } from '../../api/client.ts';

export const driverQuery = (uuid: string) =>
  queryOptions({
    queryKey: ['driver', uuid],
    queryFn: () => dataOf(api.GET('/cpms/v1/users/{uuid}', { params: { path: { uuid } } })),
  });
