import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../api/client.ts';
import { TriangleAlert } from '../../ui/icons/icons.ts';
import { RelativeTime } from '../../ui/time.tsx';
import { awaitedRejectionsQuery } from '../rejected-connections/rejected-connections-queries.ts';
import styles from './start.module.css';

const watchMs = 2000;

/** Attempts of the awaited charger that were rejected, and of unknown identities, while the page waits for its connection. */
export function Rejections({ charger }: { charger: Schemas['Charger'] }) {
  const { t } = useTranslation(['start', 'rejectedConnections']);
  const { data = [] } = useQuery(awaitedRejectionsQuery(charger.id, watchMs));
  return (
    <ul className={styles['rejections']} aria-live="polite" aria-label={t('rejectedConnections:title')}>
      {data.map(({ id, identity, reason, chargerId, remoteAddress, attempts, lastAt }) => (
        <li key={id}>
          <TriangleAlert aria-hidden size={16} />
          <span>
            <strong>{identity}</strong>: {t(`rejectedConnections:reasons.${reason}`)}{' '}
            {t('connect.attempts', { count: attempts, address: remoteAddress })},{' '}
            <RelativeTime value={lastAt} />.{' '}
            {chargerId === null && (
              <Link to="/start" search={{ charger: 'new', identity }}>
                {t('rejectedConnections:register')}
              </Link>
            )}
          </span>
        </li>
      ))}
    </ul>
  );
}
