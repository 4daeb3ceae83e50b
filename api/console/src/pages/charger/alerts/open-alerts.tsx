import { queryOptions, useQuery } from '@tanstack/react-query';
import { TriangleAlert } from '../../../ui/icons/icons.ts';
import { useTranslation } from 'react-i18next';
import { api, dataOf } from '../../../api/client.ts';
import { useCan } from '../../../app/caller.tsx';
import { RelativeTime } from '../../../ui/time.tsx';
import styles from './alerts.module.css';

const maxShown = 5;

const alertsQuery = (chargerId: string) =>
  queryOptions({
    queryKey: ['alerts', 'open', chargerId],
    queryFn: () =>
      dataOf(
        api.GET('/cpms/v1/alerts', { params: { query: { chargerId, status: 'open', pageSize: maxShown } } }),
      ),
    refetchInterval: 30_000,
  });

/** Open alerts of the charger, newest first. Nothing without any. */
export function OpenAlerts({ chargerId }: { chargerId: string }) {
  const { t } = useTranslation('charger');
  const mayRead = useCan('cpms:read:alerts');
  const { data: alerts = [] } = useQuery({ ...alertsQuery(chargerId), enabled: mayRead });
  if (alerts.length === 0) return null;
  return (
    <ul aria-label={t('alerts.label')} className={styles['alerts']}>
      {alerts.map(({ id, severity, message, occurredAt }) => (
        <li key={id} className={styles['alert']} data-severity={severity}>
          <TriangleAlert aria-hidden size={15} />
          <strong>{t(`alerts.${severity}`)}</strong>
          <span>{message}</span>
          <span className={styles['time']}>
            <RelativeTime value={occurredAt} />
          </span>
        </li>
      ))}
    </ul>
  );
}
