import { X } from '../../../ui/icons/icons.ts';
import { memo, useEffect, useEffectEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../ui/button.tsx';
import { ComboBox } from '../../../ui/combo-box.tsx';
import { Select, TextField } from '../../../ui/field.tsx';
import type { LogSearch } from './log-search.ts';
import styles from './log.module.css';

const all = 'all';
/** Time in ms after the last key until the text is searched. */
const typingMs = 350;

/** Filter of the log: action, direction, errors only, text. New messages do not render it again. */
export const LogFilters = memo(function LogFilters({
  search,
  actions,
}: {
  search: LogSearch;
  actions: readonly string[];
}) {
  const { t } = useTranslation(['log', 'common']);
  const { filter, isFiltered } = search;
  return (
    <div className={styles['filters']} role="search" aria-label={t('filter.label')}>
      <div className={styles['action']}>
        <ComboBox
          label={t('filter.action')}
          hidesLabel
          placeholder={t('filter.anyAction')}
          options={actions.map((action) => ({ id: action, text: action }))}
          value={filter.action}
          onChange={search.setAction}
        />
      </div>
      <Select
        label={t('filter.direction')}
        hidesLabel
        options={[
          { id: all, text: t('filter.anyDirection') },
          { id: 'in', text: t('direction.in') },
          { id: 'out', text: t('direction.out') },
        ]}
        value={filter.direction ?? all}
        onChange={(id) => search.setDirection(id === all ? null : id)}
      />
      <Button aria-pressed={filter.errorsOnly} onPress={() => search.setErrorsOnly(!filter.errorsOnly)}>
        {t('filter.errorsOnly')}
      </Button>
      <SearchText text={filter.text} onChange={search.setText} />
      {isFiltered && (
        <Button kind="quiet" onPress={search.clear}>
          <X aria-hidden size={15} />
          {t('common:action.clear')}
        </Button>
      )}
    </div>
  );
});

function SearchText({ text, onChange }: { text: string; onChange: (text: string) => void }) {
  const { t } = useTranslation('log');
  const [typed, setTyped] = useState(text);
  const [shown, setShown] = useState(text);
  if (shown !== text) {
    setShown(text);
    // Not while the text is typed on.
    if (text === '' || !typed.startsWith(text)) setTyped(text);
  }
  const search = useEffectEvent(() => onChange(typed));
  useEffect(() => {
    if (typed === text) return;
    const timer = setTimeout(search, typingMs);
    return () => clearTimeout(timer);
  }, [typed, text]);
  return (
    <TextField
      label={t('filter.text')}
      hidesLabel
      placeholder={t('filter.text')}
      maxLength={100}
      value={typed}
      onChange={setTyped}
    />
  );
}
