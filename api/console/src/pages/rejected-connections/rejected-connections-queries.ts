import { queryOptions } from '@tanstack/react-query';
import { bodies, type Schemas } from '../../api/client.ts';

export type RejectedConnection = Schemas['RejectedConnection'];

interface Filter {
  networkUuid?: string;
  chargerId?: string;
  reason?: RejectedConnection['reason'];
}

/** Reads a page of the connections that the gateway rejected, newest first. */
export const readRejectedConnections = (filter: Filter, cursor?: string, pageSize = 50) =>
  bodies.GET('/cpms/v1/rejected-connections', { params: { query: { ...filter, pageSize, cursor } } });

/** Latest rejected connections of a charger, and of unknown identities, which may be the same charger with another identity. */
export const awaitedRejectionsQuery = (chargerId: string, refetchInterval: number) =>
  queryOptions({
    queryKey: ['rejected-connections', 'awaited', chargerId],
    queryFn: async () => {
      const [own, unknown] = await Promise.all([
        readRejectedConnections({ chargerId }, undefined, 3),
        readRejectedConnections({ reason: 'unknown-identity' }, undefined, 3),
      ]);
      return [...own.data, ...unknown.data];
    },
    refetchInterval,
  });
