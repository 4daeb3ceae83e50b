import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useCan, useNetworks } from '../../app/caller.tsx';
import { latestSessionQuery } from '../start/start-queries.ts';
import type { NetworkQuery } from './overview-queries.ts';
import styles from './welcome.module.css';

/** Invitation to the first steps: where there is no charger, in the place of zeros. */
export function Welcome({ query }: { query: NetworkQuery }) {
  const { t } = useTranslation('overview');
  const networks = useNetworks();
  const network = networks.find(({ id }) => id === query.networkUuid) ?? networks[0];
  return (
    <section aria-labelledby="welcome" className={styles['welcome']}>
      <h2 id="welcome">{t('welcome.title', { network: network?.name ?? 'chargeway' })}</h2>
      <p>{t('welcome.lead')}</p>
      <Link to="/start" className={styles['begin']}>
        {t('welcome.begin')}
      </Link>
    </section>
  );
}

/** Reminder of the last step, while chargers wait for a first session. */
export function FirstSession({ query }: { query: NetworkQuery }) {
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
    <p className={styles['reminder']}>
      {t('welcome.noSession')} <Link to="/start">{t('welcome.continue')}</Link>
    </p>
  );
}
