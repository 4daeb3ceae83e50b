import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useCan, useNetworks } from '../../app/caller.tsx';
import { useNetworkQuery } from '../../app/network-switcher.tsx';
import { LiveIndicator } from '../../ui/live-indicator.tsx';
import { fleetCountsQuery, type NetworkQuery } from './overview-queries.ts';
import { useVisibility } from '../../app/use-visibility.ts';
import { workListKey } from '../../app/work-list.ts';
import { useReload } from '../../app/use-reload.ts';
import { LiveFeed } from './live-feed.tsx';
import { PowerOfDay } from './power-of-day.tsx';
import { TodayFigures } from './today-figures.tsx';
import { useFeed } from './use-feed.ts';
import { WorkList } from './work-list.tsx';
import styles from './overview-page.module.css';
import { chargerStates } from '#shared/domain/fleet/charger-state.ts';
import { Link } from '@tanstack/react-router';
import { useFormats } from '../../texts/formats.ts';
import { ErrorNotice } from '../../ui/notice.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { StaleNotice } from '../../ui/stale-notice.tsx';
import { StateBadge } from '../../ui/state-badge.tsx';
import stateCounts from './state-counts.module.css';
import welcome from './welcome.module.css';
import { latestSessionQuery } from '../start/start-queries.ts';

/** Kinds of events after which the counts of the page are loaded again. */
const countedTypes = /^(?:charger|connection|connector|session|alert)\./;

/** Shows whether the network is well: chargers by state, records that need an operator, figures of today, power, live feed. */
export function OverviewPage() {
  const query = useNetworkQuery();
  return <Overview key={query.networkUuid ?? 'all'} query={query} />;
}

function Overview({ query }: { query: NetworkQuery }) {
  const { t } = useTranslation('overview');
  const mayReadAnalytics = useCan('cpms:read:analytics');
  const mayReadEvents = useCan('cpms:read:events');
  const mayRegister = useCan('cpms:write:chargers');
  const isEmpty = useQuery(fleetCountsQuery(query)).data?.total === 0;
  const reload = useReload(['fleet-counts'], ['today'], ['alerts'], workListKey);
  const isVisible = useVisibility();
  const feed = useFeed(mayReadEvents && isVisible ? query : null, ({ type }) => {
    if (countedTypes.test(type)) reload();
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
          <div className={styles['columns']}>
            <WorkList query={query} />
            {mayReadEvents && <LiveFeed feed={feed} />}
          </div>
          {mayReadAnalytics && <TodayFigures query={query} />}
          {mayReadAnalytics && <PowerOfDay query={query} />}
        </>
      )}
    </div>
  );
}

/** Chargers by state: a bar of their shares, and a figure for each that opens the list behind it. */
function StateCounts({ query }: { query: NetworkQuery }) {
  const { t } = useTranslation('overview');
  const formats = useFormats();
  const counts = useQuery(fleetCountsQuery(query));
  const { data, error, refetch } = counts;
  if (error !== null && data === undefined) return <ErrorNotice error={error} retry={() => void refetch()} />;
  const counted = chargerStates.map((state) => ({ state, count: data?.states[state] }));
  return (
    <section aria-label={t('states.label')} className={stateCounts['counts']}>
      <StaleNotice query={counts} />
      <div aria-hidden className={stateCounts['bar']}>
        {counted.map(
          ({ state, count = 0 }) =>
            count > 0 && (
              <span key={state} style={{ flexGrow: count, background: `var(--state-${state})` }} />
            ),
        )}
      </div>
      <ul className={stateCounts['figures']}>
        <li>
          <Link to="/fleet/chargers" className={stateCounts['figure']}>
            <span className={stateCounts['number']}>
              {data === undefined ? <Skeleton width={48} /> : formats.integer(data.total)}
            </span>
            <span>{t('states.all')}</span>
          </Link>
        </li>
        {counted.map(({ state, count }) => (
          <li key={state}>
            <Link
              to="/fleet/chargers"
              search={{ state }}
              className={stateCounts['figure']}
              data-is-empty={count === 0}
            >
              <span className={stateCounts['number']}>
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

/** Invitation to the first steps: where there is no charger, in the place of zeros. */
function Welcome({ query }: { query: NetworkQuery }) {
  const { t } = useTranslation('overview');
  const networks = useNetworks();
  const network = networks.find(({ id }) => id === query.networkUuid) ?? networks[0];
  return (
    <section aria-labelledby="welcome" className={welcome['welcome']}>
      <h2 id="welcome">{t('welcome.title', { network: network?.name ?? 'chargeway' })}</h2>
      <p>{t('welcome.lead')}</p>
      <Link to="/start" className={welcome['begin']}>
        {t('welcome.begin')}
      </Link>
    </section>
  );
}

/** Reminder of the last step, while chargers wait for a first session. */
function FirstSession({ query }: { query: NetworkQuery }) {
  const { t } = useTranslation('overview');
  const mayRead = useCan('cpms:read:sessions');
  const mayRegister = useCan('cpms:write:chargers');
  const { data } = useQuery({
    ...latestSessionQuery(query),
    enabled: mayRead && mayRegister,
    staleTime: 60_000,
  });
  if (data !== null) return null;
  return (
    <p className={welcome['reminder']}>
      {t('welcome.noSession')} <Link to="/start">{t('welcome.continue')}</Link>
    </p>
  );
}
