import { useNavigate, useSearch } from '@tanstack/react-router';
import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { useScopes } from '../../app/caller.tsx';
import { featuresOf } from '#shared/domain/fleet/ocpp-version.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { type ChargerTab, chargerTabGroups, type TabProps } from './tabs.tsx';

/** Tabs of the charger that the caller may see, in two rows: groups, and the tabs of the selected group. */
export function GroupedTabs(props: TabProps) {
  const { t } = useTranslation('charger');
  const { tab } = useSearch({ from: '/signed-in/fleet/chargers/$uuid' });
  const navigate = useNavigate();
  const can = useScopes();
  const features = featuresOf(props.charger.ocppVersion);
  const groups = chargerTabGroups.flatMap(({ title, tabs }) => {
    const [first, ...others] = tabs.filter(
      ({ scope, needs }) => can(scope) && (needs === undefined || (features !== null && needs(features))),
    );
    return first === undefined ? [] : [{ title, first, tabs: [first, ...others] }];
  });
  const group = groups.find(({ tabs }) => tabs.some(({ id }) => id === tab)) ?? groups[0];
  if (group === undefined) return null;
  const selected = group.tabs.find(({ id }) => id === tab) ?? group.first;
  const select = (id: ChargerTab['id']) =>
    void navigate({ to: '.', search: (before) => ({ ...before, tab: id }), replace: true });
  const titleOf = ({ title, first, tabs }: (typeof groups)[number]) =>
    title === null || tabs.length === 1 ? t(`tabs.${first.id}`) : t(`tabGroups.${title}`);
  const content = (each: ChargerTab) => () => <TabContent tab={each} {...props} />;
  const tabsOf = (each: (typeof groups)[number]) => () =>
    each.tabs.length === 1 ? (
      <TabContent tab={each.first} {...props} />
    ) : (
      <Tabs
        isInner
        label={titleOf(each)}
        tabs={each.tabs.map((inner) => ({
          id: inner.id,
          title: t(`tabs.${inner.id}`),
          content: content(inner),
        }))}
        selected={selected.id}
        onSelect={select}
      />
    );
  return (
    <Tabs
      label={t('tabGroups.label')}
      // A group has the id of its first tab, which it opens.
      tabs={groups.map((each) => ({ id: each.first.id, title: titleOf(each), content: tabsOf(each) }))}
      selected={group.first.id}
      onSelect={select}
    />
  );
}

function TabContent({ tab: { content: Content }, ...props }: TabProps & { tab: ChargerTab }) {
  return (
    <Suspense fallback={<Skeleton height={480} />}>
      <Content key={props.charger.id} {...props} />
    </Suspense>
  );
}
