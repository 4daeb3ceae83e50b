import { useQuery } from '@tanstack/react-query';
import { api } from '../../../api/client.ts';
import { type Exchange, ExchangeLog } from './exchange-log.ts';
import { messageIdOf } from './frames.ts';

/** Opened exchange; null while it is loading or when it does not exist. */
export interface Opened {
  messageId: string;
  exchange: Exchange | null;
  isLoading: boolean;
  error: unknown;
}

/** Returns the opened exchange: of the shown rows, else from the server. */
export function useOpened(
  uuid: string,
  rows: readonly Exchange[],
  messageId: string | undefined,
): Opened | null {
  const shown = messageId === undefined ? undefined : rows.find((row) => messageIdOf(row) === messageId);
  const { data, isLoading, error } = useQuery({
    queryKey: ['charger', uuid, 'message', messageId],
    enabled: messageId !== undefined && shown === undefined,
    queryFn: async () => {
      const log = new ExchangeLog();
      const query = { messageId: messageId ?? '', pageSize: 20 };
      const params = { path: { uuid }, query };
      log.add((await api.GET('/cpms/v1/chargers/{uuid}/messages', { params })).toReversed());
      return log.exchanges[0] ?? null;
    },
  });
  if (messageId === undefined) return null;
  return { messageId, exchange: shown ?? data ?? null, isLoading, error };
}
