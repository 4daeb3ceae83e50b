import { type ChargerState, chargerStates } from '#shared/domain/fleet/charger-state.ts';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../api/client.ts';
import { useFormats } from '../../texts/formats.ts';
import { Button } from '../../ui/button.tsx';
import { StateBadge, stateOf } from '../../ui/state-badge.tsx';
import { type ChargersSearch, type SearchChange, statesOf } from './chargers-search.ts';
import styles from './chargers-page.module.css';

/** Counts by state; each is a filter of the list. */
export function StateFilter({
  counts,
  search,
  onChange,
}: {
  counts: Schemas['ChargerCounts'] | undefined;
  search: ChargersSearch;
  onChange: (changed: SearchChange) => void;
}) {
  const { t } = useTranslation(['chargers', 'common']);
  const formats = useFormats();
  const chosen = statesOf(search);
  const toggle = (state: ChargerState) => {
    const next = chosen.includes(state) ? chosen.filter((each) => each !== state) : [...chosen, state];
    onChange({ state: next.length === 0 ? undefined : next.join(',') });
  };
  return (
    <div role="group" aria-label={t('states')} className={styles['states']}>
      <Button aria-pressed={chosen.length === 0} onPress={() => onChange({ state: undefined })}>
        {t('all')} <strong>{formats.integer(counts?.total)}</strong>
      </Button>
      {chargerStates.map((state) => (
        <Button key={state} aria-pressed={chosen.includes(state)} onPress={() => toggle(state)}>
          <StateBadge state={stateOf(state)} /> <strong>{formats.integer(counts?.states[state])}</strong>
        </Button>
      ))}
    </div>
  );
}
