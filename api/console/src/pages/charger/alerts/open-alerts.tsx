import { queryOptions, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/client.ts';
import { useCan } from '../../../app/caller.tsx';
import { AlertLine } from '../../alerts/alert-line.tsx';
import styles from './alerts.module.css';

const maxShown = 5;
/** Resources that the page of their charger need not name. */
const ofCharger = new Set(['charger', 'session']);

const alertsQuery = (chargerId: string) =>
  queryOptions({
    queryKey: ['alerts', 'open', chargerId],
    queryFn: () =>
      api.GET('/cpms/v1/alerts', { params: { query: { chargerId, status: 'open', pageSize: maxShown } } }),
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
      {alerts.map((alert) => (
        <li key={alert.id} className={styles['alert']} data-severity={alert.severity}>
          <AlertLine alert={alert} hasObject={!ofCharger.has(alert.resourceType)} />
        </li>
      ))}
    </ul>
  );
}
