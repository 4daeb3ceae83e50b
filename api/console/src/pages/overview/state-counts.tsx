import { chargerStates } from '#shared/domain/fleet/charger-state.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../texts/formats.ts';
import { ErrorNotice } from '../../ui/notice.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { StaleNotice } from '../../ui/stale-notice.tsx';
import { StateBadge } from '../../ui/state-badge.tsx';
import { fleetCountsQuery, type NetworkQuery } from './overview-queries.ts';
import styles from './state-counts.module.css';

/** Chargers by state: a bar of their shares, and a figure for each that opens the list behind it. */
export function StateCounts({ query }: { query: NetworkQuery }) {
  const { t } = useTranslation('overview');
  const formats = useFormats();
  const counts = useQuery(fleetCountsQuery(query));
  const { data, error, refetch } = counts;
  if (error !== null && data === undefined) return <ErrorNotice error={error} retry={() => void refetch()} />;
  const counted = chargerStates.map((state) => ({ state, count: data?.states[state] }));
  return (
    <section aria-label={t('states.label')} className={styles['counts']}>
      <StaleNotice query={counts} />
      <div aria-hidden className={styles['bar']}>
        {counted.map(
          ({ state, count = 0 }) =>
            count > 0 && (
              <span key={state} style={{ flexGrow: count, background: `var(--state-${state})` }} />
            ),
        )}
      </div>
      <ul className={styles['figures']}>
        <li>
          <Link to="/fleet/chargers" className={styles['figure']}>
            <span className={styles['number']}>
              {data === undefined ? <Skeleton width={48} /> : formats.integer(data.total)}
            </span>
            <span>{t('states.all')}</span>
          </Link>
        </li>
        {counted.map(({ state, count }) => (
          <li key={state}>
            <Link to="/fleet/chargers" search={{ state }} className={styles['figure']}>
              <span className={styles['number']}>
                {count === undefined ? <Skeleton width={40} /> : formats.integer(count)}
              </span>
              <StateBadge state={state} />
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
