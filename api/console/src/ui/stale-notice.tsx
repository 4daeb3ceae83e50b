import { CloudOff } from './icons/icons.ts';
import { useTranslation } from 'react-i18next';
import { ApiError, unreachable } from '../api/client.ts';
import { useFormats } from '../texts/formats.ts';
import { Button } from './button.tsx';
import styles from './stale-notice.module.css';

/** Query whose shown data may be older than they should be. */
interface StaleQuery {
  data: unknown;
  error: Error | null;
  fetchStatus: 'fetching' | 'paused' | 'idle';
  dataUpdatedAt: number;
  refetch: () => Promise<unknown>;
}

/** Names the time of shown data after a failed request or without a connection, and offers to load them again. */
export function StaleNotice({ query }: { query: StaleQuery }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { data, error, fetchStatus, dataUpdatedAt, refetch } = query;
  if (data === undefined || (error === null && fetchStatus !== 'paused')) return null;
  const isAway = error === null || (error instanceof ApiError && error.status === unreachable);
  return (
    <div role="status" className={styles['stale']}>
      <CloudOff aria-hidden size={15} />
      <span>
        {t('stale.since', { time: formats.time(dataUpdatedAt) })}{' '}
        {isAway ? t('error.unreachable') : error.message}
      </span>
      <Button kind="quiet" isDisabled={fetchStatus === 'fetching'} onPress={() => void refetch()}>
        {t('action.retry')}
      </Button>
    </div>
  );
}
