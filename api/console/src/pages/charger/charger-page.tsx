import { useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { useScopes } from '../../app/caller.tsx';
import { useObjectZone } from '../../app/page-zone.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { type Tab, Tabs } from '../../ui/tabs.tsx';
import { ChargerActions } from './commands/charger-actions.tsx';
import { ChargerHeader } from './charger-header.tsx';
import { chargerQuery } from './charger-queries.ts';
import { Connectors } from './connectors/connectors.tsx';
import { useLiveCharger } from './live-charger.ts';
import { type ChargerTab, chargerTabs, type TabProps } from './tabs.tsx';
import styles from './charger-page.module.css';

/** One charger: its state now, its past, and everything that can be done with it. */
export function ChargerPage() {
  const { t } = useTranslation('charger');
  const { uuid } = useParams({ from: '/signed-in/fleet/chargers/$uuid' });
  const { tab } = useSearch({ from: '/signed-in/fleet/chargers/$uuid' });
  const navigate = useNavigate();
  const can = useScopes();
  const { data: charger } = useSuspenseQuery(chargerQuery(uuid));
  useObjectZone(charger.timeZone);
  const live = useLiveCharger(uuid);
  const tabs = chargerTabs
    .filter(({ scope }) => can(scope))
    .map((each): Tab<ChargerTab['id']> => ({
      id: each.id,
      title: t(`tabs.${each.id}`),
      content: () => tabContent(each, { charger, live }),
    }));
  const selected = tabs.find(({ id }) => id === tab) ?? tabs[0];
  return (
    <div className={styles['page']}>
      <ChargerHeader
        charger={charger}
        live={live}
        actions={<ChargerActions key={uuid} charger={charger} live={live} />}
      />
      <Connectors key={uuid} charger={charger} live={live} />
      {selected !== undefined && (
        <Tabs
          label={t('tabs.label')}
          tabs={tabs}
          selected={selected.id}
          onSelect={(id) =>
            void navigate({ to: '.', search: (before) => ({ ...before, tab: id }), replace: true })
          }
        />
      )}
    </div>
  );
}

function tabContent({ content: Content }: ChargerTab, props: TabProps) {
  return (
    <Suspense fallback={<Skeleton height={480} />}>
      <Content key={props.charger.id} {...props} />
    </Suspense>
  );
}
