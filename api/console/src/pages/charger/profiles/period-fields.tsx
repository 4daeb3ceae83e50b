import { Plus, Trash2 } from '../../../ui/icons/icons.ts';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../ui/button.tsx';
import { Select, TextField } from '../../../ui/field.tsx';
import type { Draft, DraftPeriod } from './draft.ts';
import styles from './profiles.module.css';

/** Periods of a schedule: start, limit and phases, in rows that can be added and removed. */
export function PeriodFields({ draft, change }: { draft: Draft; change: (part: Partial<Draft>) => void }) {
  const { t } = useTranslation('chargingProfiles');
  const { periods, unit } = draft;
  const update = (id: number, part: Partial<DraftPeriod>) =>
    change({ periods: periods.map((period) => (period.id === id ? { ...period, ...part } : period)) });
  const last = periods.at(-1);
  const add = () =>
    change({
      periods: [
        ...periods,
        {
          id: (last?.id ?? 0) + 1,
          minutes: String(Number(last?.minutes ?? 0) + 60),
          limit: last?.limit ?? '16',
          phases: last?.phases ?? '3',
        },
      ],
    });
  return (
    <fieldset className={styles['periods']}>
      <legend>{t('set.periods')}</legend>
      <Select
        label={t('set.unit')}
        options={[
          { id: 'A', text: t('units.A') },
          { id: 'W', text: 'W' },
        ]}
        value={unit}
        onChange={(next) => change({ unit: next })}
      />
      {periods.map((period, index) => (
        <div key={period.id} className={styles['period']}>
          <TextField
            label={t('set.minutes')}
            value={period.minutes}
            onChange={(minutes) => update(period.id, { minutes })}
            inputMode="numeric"
            isRequired
            isDisabled={index === 0}
          />
          <TextField
            label={t('set.limit', { unit })}
            value={period.limit}
            onChange={(limit) => update(period.id, { limit })}
            inputMode="decimal"
            isRequired
          />
          {unit === 'A' && (
            <Select
              label={t('set.phases')}
              options={(['1', '2', '3'] as const).map((id) => ({ id, text: id }))}
              value={period.phases}
              onChange={(phases) => update(period.id, { phases })}
            />
          )}
          <Button
            kind="quiet"
            isIcon
            aria-label={t('set.removePeriod', { number: index + 1 })}
            isDisabled={index === 0}
            onPress={() => change({ periods: periods.filter(({ id }) => id !== period.id) })}
          >
            <Trash2 aria-hidden size={15} />
          </Button>
        </div>
      ))}
      {draft.kind !== 'Dynamic' && (
        <Button onPress={add}>
          <Plus aria-hidden size={15} />
          {t('set.addPeriod')}
        </Button>
      )}
    </fieldset>
  );
}
