import { queryOptions } from '@tanstack/react-query';
import { api } from '../../api/client.ts';

export const invoiceQuery = (uuid: string) =>
  queryOptions({
    queryKey: ['invoices', 'detail', uuid],
    queryFn: () => api.GET('/cpms/v1/invoices/{uuid}', { params: { path: { uuid } } }),
  });
