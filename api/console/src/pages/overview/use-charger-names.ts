import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api, dataOf } from '../../api/client.ts';

const keyOf = (uuid: string) => ['charger', uuid, 'uid'];

/**
 * Returns the identity of each charger that events name by its id, once it is read. One is read at a time, so that a busy feed
 * sends one request at a time.
 */
export function useChargerNames(ids: readonly string[]): (uuid: string) => string | undefined {
  const queries = useQueryClient();
  const next = ids.find((uuid) => (queries.getQueryState(keyOf(uuid))?.status ?? 'pending') === 'pending');
  useQuery({
    queryKey: keyOf(next ?? ''),
    queryFn: async () => {
      const path = { uuid: next ?? '' };
      return (await dataOf(api.GET('/cpms/v1/chargers/{uuid}', { params: { path } }))).uid;
    },
    enabled: next !== undefined,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  });
  return (uuid) => queries.getQueryData<string>(keyOf(uuid));
}
