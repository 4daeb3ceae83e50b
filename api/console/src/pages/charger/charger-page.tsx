import { useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { type Tab, Tabs } from '../../ui/tabs.tsx';
import { ChargerHeader } from './charger-header.tsx';
import { chargerQuery } from './charger-queries.ts';
import { Connectors } from './connectors/connectors.tsx';
import { useLiveCharger } from './live-charger.ts';
import styles from './charger-page.module.css';

/** One charger: what it does now, what it did, and everything that can be done with it. */
export function ChargerPage() {
  const { t } = useTranslation('charger');
  const { uuid } = useParams({ from: '/signed-in/fleet/chargers/$uuid' });
  const { tab } = useSearch({ from: '/signed-in/fleet/chargers/$uuid' });
  const navigate = useNavigate();
  const { data: charger } = useSuspenseQuery(chargerQuery(uuid));
  const live = useLiveCharger(uuid);
  const tabs: Tab<string>[] = [];
  const selected = tabs.find(({ id }) => id === tab)?.id ?? tabs[0]?.id ?? '';
  return (
    <div className={styles['page']}>
      <ChargerHeader charger={charger} live={live} />
      <Connectors charger={charger} live={live} />
      {tabs.length > 0 && (
        <Tabs
          label={t('tabs.label')}
          tabs={tabs}
          selected={selected}
          onSelect={(id) =>
            void navigate({ to: '.', search: (before) => ({ ...before, tab: id }), replace: true })
          }
        />
      )}
    </div>
  );
}
