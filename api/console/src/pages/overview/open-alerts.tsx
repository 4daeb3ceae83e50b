import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { TriangleAlert } from '../../ui/icons/icons.ts';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../api/client.ts';
import { Card } from '../../ui/card.tsx';
import { Empty, ErrorNotice } from '../../ui/notice.tsx';
import { StaleNotice } from '../../ui/stale-notice.tsx';
import { RelativeTime } from '../../ui/time.tsx';
import { type NetworkQuery, openAlertsQuery } from './overview-queries.ts';
import styles from './open-alerts.module.css';

/** Newest open alerts, each with the way to its object. */
export function OpenAlerts({ query }: { query: NetworkQuery }) {
  const { t } = useTranslation('overview');
  const open = useQuery(openAlertsQuery(query));
  const { data, error, refetch } = open;
  return (
    <Card
      title={
        <Link to="/alerts" search={{ status: 'open' }}>
          {t('alerts.title')}
        </Link>
      }
      hasPadding={false}
    >
      <StaleNotice query={open} />
      {error !== null && data === undefined ? (
        <ErrorNotice error={error} retry={() => void refetch()} />
      ) : data?.length === 0 ? (
        <Empty title={t('alerts.none')} />
      ) : (
        <ul className={styles['alerts']}>
          {(data ?? []).map((alert) => (
            <li key={alert.id} className={styles['alert']}>
              <TriangleAlert
                aria-hidden
                size={16}
                style={{ color: `var(--state-${alert.severity === 'critical' ? 'faulted' : 'unavailable'})` }}
              />
              <div className={styles['text']}>
                <p>
                  <span className={styles['kind']}>{t(`alerts.severity.${alert.severity}`)}</span>{' '}
                  <AlertObject alert={alert} />
                </p>
                <p className={styles['message']}>{alert.message}</p>
              </div>
              <span className={styles['time']}>
                <RelativeTime value={alert.lastOccurredAt} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

function AlertObject({ alert: { chargerId, resourceName } }: { alert: Schemas['Alert'] }) {
  if (chargerId === null) return resourceName;
  return (
    <Link to="/fleet/chargers/$uuid" params={{ uuid: chargerId }}>
      {resourceName}
    </Link>
  );
}
