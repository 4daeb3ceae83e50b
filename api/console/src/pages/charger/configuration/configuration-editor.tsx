import { useDeferredValue, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchChange } from '../../../app/use-search-change.ts';
import type { Schemas } from '../../../api/client.ts';
import { Card } from '../../../ui/card.tsx';
import { Empty, ErrorNotice } from '../../../ui/notice.tsx';
import { ConfigurationActions } from './configuration-actions.tsx';
import { useEdits, discardEdits, type Edits } from './edits.ts';
import type { Setting } from './setting.ts';
import { SettingsTable } from './settings-table.tsx';
import styles from './configuration.module.css';
import { useMutation } from '@tanstack/react-query';
import { Button } from '../../../ui/button.tsx';
import { sendEdits } from './send-edits.ts';
import { useSearch } from '@tanstack/react-router';
import { Checkbox } from '../../../ui/checkbox.tsx';
import { Select, TextField } from '../../../ui/field.tsx';

/** Origin of the shown settings. */
export interface Source {
  /** `unreported`: a charger of 2.0.1 that sent no report yet. */
  kind: 'keys' | 'model' | 'unreported';
  readAt: number;
  isReading: boolean;
  /** Error of the request to the charger. */
  error: Error | null;
}

interface Props {
  charger: Schemas['Charger'];
  settings: readonly Setting[];
  source: Source;
  canEdit: boolean;
  onRefresh: () => void;
}

/** Settings that can be searched and changed. Changes are collected and sent together. */
export function ConfigurationEditor({ charger, settings: loaded, source, canEdit, onRefresh }: Props) {
  const { t } = useTranslation(['configuration', 'common']);
  const edits = useEdits(charger.id);
  const filter = useConfigurationFilter();
  const { search, component, isChangedOnly } = useDeferredValue(filter);
  const settings = useMemo(
    () => loaded.map((each) => ({ ...each, value: edits.latest.get(each.id) ?? each.value })),
    [loaded, edits.latest],
  );
  const shown = useMemo(() => {
    const words = search.toLowerCase().split(/\s+/);
    return settings.filter(
      ({ id, group, name, value, component: own }) =>
        (component === '' || own === component) &&
        (!isChangedOnly || edits.values.has(id) || edits.outcomes.has(id)) &&
        words.every((word) => `${group} ${name} ${value ?? ''}`.toLowerCase().includes(word)),
    );
  }, [settings, search, component, isChangedOnly, edits.values, edits.outcomes]);
  return (
    <Card
      hasPadding={false}
      title={t(source.kind === 'keys' ? 'title.keys' : 'title.model')}
      actions={
        <ConfigurationActions
          charger={charger}
          settings={shown}
          source={source}
          canEdit={canEdit}
          onRefresh={onRefresh}
        />
      }
    >
      {source.kind === 'unreported' && <p className={styles['hint']}>{t('unreported')}</p>}
      {charger.deviceModelCutAt !== null && <p className={styles['hint']}>{t('cut')}</p>}
      <ConfigurationFilter settings={settings} shownCount={shown.length} />
      {source.error !== null && <ErrorNotice error={source.error} retry={onRefresh} />}
      {shown.length === 0 ? (
        source.error === null && (
          <Empty title={t(settings.length === 0 ? 'empty' : 'common:empty.filtered')} />
        )
      ) : (
        <SettingsTable chargerId={charger.id} settings={shown} edits={edits} canEdit={canEdit} />
      )}
      {canEdit && <SendBar chargerId={charger.id} settings={settings} edits={edits} />}
    </Card>
  );
}

/** Number of unsent changes, with the buttons that send or discard them. */
function SendBar({
  chargerId,
  settings,
  edits,
}: {
  chargerId: string;
  settings: readonly Setting[];
  edits: Edits;
}) {
  const { t } = useTranslation('configuration');
  const sending = useMutation({
    mutationFn: () =>
      sendEdits(
        chargerId,
        settings.flatMap((setting) => {
          const value = edits.values.get(setting.id);
          return value === undefined ? [] : [{ setting, value }];
        }),
      ),
  });
  const count = edits.values.size;
  const outcomes = [...edits.outcomes.values()].map(({ state }) => state);
  const results = (['accepted', 'reboot', 'rejected'] as const)
    .map((state) => [state, outcomes.filter((each) => each === state).length] as const)
    .filter(([, number]) => number > 0)
    .map(([state, number]) => `${t(`state.${state}`)}: ${number}`);
  if (count === 0 && results.length === 0) return null;
  return (
    <div className={styles['send']}>
      <span role="status">
        {[count === 0 ? null : t('changes', { count }), ...results]
          .filter((part) => part !== null)
          .join(' · ')}
      </span>
      {count > 0 && (
        <>
          <Button onPress={() => discardEdits(chargerId)} isDisabled={sending.isPending}>
            {t('discard')}
          </Button>
          <Button kind="primary" onPress={() => sending.mutate()} isDisabled={sending.isPending}>
            {t(sending.isPending ? 'sending' : 'send')}
          </Button>
        </>
      )}
    </div>
  );
}

const all = '*';

/** Returns the filter of the settings, which the address holds. */
function useConfigurationFilter() {
  const { search = '', component = '', changed } = useSearch({ from: '/signed-in/fleet/chargers/$uuid' });
  return useMemo(
    () => ({ search, component, isChangedOnly: changed !== undefined }),
    [search, component, changed],
  );
}

/** Search, component and "changed only". */
function ConfigurationFilter({ settings, shownCount }: { settings: readonly Setting[]; shownCount: number }) {
  const { t } = useTranslation(['configuration', 'common']);
  const { search, component, isChangedOnly } = useConfigurationFilter();
  const components = useMemo(
    () => [...new Set(settings.map((each) => each.component))].toSorted((a, b) => a.localeCompare(b)),
    [settings],
  );
  const set: (changed: Partial<Record<'search' | 'component' | 'changed', string | undefined>>) => void =
    useSearchChange();
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
