import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Checkbox } from '../../../ui/checkbox.tsx';
import { Select, TextField } from '../../../ui/field.tsx';
import type { Setting } from './setting.ts';
import styles from './configuration.module.css';

const all = '*';

/** Returns the filter of the settings, which the address holds. */
export function useConfigurationFilter() {
  const { search = '', component = '', changed } = useSearch({ from: '/signed-in/fleet/chargers/$uuid' });
  return useMemo(
    () => ({ search, component, isChangedOnly: changed !== undefined }),
    [search, component, changed],
  );
}

/** Search, component and "changed only". */
export function ConfigurationFilter({
  settings,
  shownCount,
}: {
  settings: readonly Setting[];
  shownCount: number;
}) {
  const { t } = useTranslation(['configuration', 'common']);
  const navigate = useNavigate();
  const { search, component, isChangedOnly } = useConfigurationFilter();
  const components = useMemo(
    () => [...new Set(settings.map((each) => each.component))].toSorted((a, b) => a.localeCompare(b)),
    [settings],
  );
  const set = (change: Partial<Record<'search' | 'component' | 'changed', string | undefined>>) =>
    void navigate({ to: '.', search: (before: object) => ({ ...before, ...change }), replace: true });
  return (
    <div className={styles['filter']} role="search">
      <TextField
        label={t('search')}
        hidesLabel
        type="search"
        placeholder={t('search')}
        value={search}
        onChange={(text) => set({ search: text === '' ? undefined : text })}
      />
      <Select
        label={t('component')}
        hidesLabel
        options={[
          { id: all, text: t('allComponents') },
          ...components.map((name) => ({ id: name, text: name })),
        ]}
        value={component === '' ? all : component}
        onChange={(id) => set({ component: id === all ? undefined : id })}
      />
      <Checkbox isSelected={isChangedOnly} onChange={(isOn) => set({ changed: isOn ? 'only' : undefined })}>
        {t('changedOnly')}
      </Checkbox>
      <span className={styles['count']} role="status">
        {t('count', { count: shownCount })}
      </span>
    </div>
  );
}
