import { queryOptions } from '@tanstack/react-query';
import { api, dataOf } from '../../api/client.ts';

export const invoiceQuery = (uuid: string) =>
  queryOptions({
    queryKey: ['invoices', 'detail', uuid],
    queryFn: () => dataOf(api.GET('/cpms/v1/invoices/{uuid}', { params: { path: { uuid } } })),
  });
