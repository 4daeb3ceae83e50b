import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../app/caller.tsx';
import { useNetworkQuery } from '../../app/network-switcher.tsx';
import { LiveIndicator } from '../../ui/live-indicator.tsx';
import { fleetCountsQuery, type NetworkQuery } from './overview-queries.ts';
import { LiveFeed } from './live-feed.tsx';
import { OpenAlerts } from './open-alerts.tsx';
import { StateCounts } from './state-counts.tsx';
import { TodayFigures } from './today-figures.tsx';
import { useFeed } from './use-feed.ts';
import { FirstSession, Welcome } from './welcome.tsx';
import styles from './overview-page.module.css';

/** Kinds of events after which the counts of the page are loaded again. */
const countedTypes = /^(?:charger|session|alert)\./;
/** Shortest time in ms between two loads: a fleet that returns sends thousands of events. */
const reloadMs = 3000;

/** Answers whether the network is well: chargers by state, sessions and power, today's figures, alerts, live feed. */
export function OverviewPage() {
  const query = useNetworkQuery();
  return <Overview key={query.networkUuid ?? 'all'} query={query} />;
}

function Overview({ query }: { query: NetworkQuery }) {
  const { t } = useTranslation('overview');
  const queries = useQueryClient();
  const mayReadAnalytics = useCan('cpms:read:analytics');
  const mayReadAlerts = useCan('cpms:read:alerts');
  const mayReadEvents = useCan('cpms:read:events');
  const mayRegister = useCan('cpms:write:chargers');
  const isEmpty = useQuery(fleetCountsQuery(query)).data?.total === 0;
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const feed = useFeed(mayReadEvents ? query : null, ({ type }) => {
    if (!countedTypes.test(type) || timer.current !== undefined) return;
    timer.current = setTimeout(() => {
      timer.current = undefined;
      for (const key of ['fleet-counts', 'today', 'alerts'])
        void queries.invalidateQueries({ queryKey: [key] });
    }, reloadMs);
  });
  return (
    <div className={styles['page']}>
      <header className={styles['title']}>
        <h1>{t('title')}</h1>
        {mayReadEvents && <LiveIndicator stream={feed.stream} />}
      </header>
      {isEmpty && mayRegister ? (
        <Welcome query={query} />
      ) : (
        <>
          <FirstSession query={query} />
          <StateCounts query={query} />
          {mayReadAnalytics && <TodayFigures query={query} />}
          <div className={styles['columns']}>
            {mayReadAlerts && <OpenAlerts query={query} />}
            {mayReadEvents && <LiveFeed feed={feed} />}
          </div>
        </>
      )}
    </div>
  );
}
