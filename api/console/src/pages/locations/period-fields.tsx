import { useTranslation } from 'react-i18next';
import type { ErrorOf } from '../../ui/field-errors.tsx';
import { TextField } from '../../ui/field.tsx';
import { RowList } from '../../ui/row-list.tsx';
import { newPeriod, type PeriodDraft } from './opening-draft.ts';

const maxPeriods = 200;

interface Props {
  kind: 'exceptionalOpenings' | 'exceptionalClosings';
  periods: readonly PeriodDraft[];
  timeZone: string;
  errorOf: ErrorOf;
  onChange: (periods: PeriodDraft[]) => void;
}

/** Exceptional openings or closings of a location, in its time zone. */
export function PeriodFields({ kind, periods, timeZone, errorOf, onChange }: Props) {
  const { t } = useTranslation('locations');
  return (
    <RowList
      label={t(`exception.${kind}.label`)}
      description={periods.length > 0 ? t('exception.zone', { zone: timeZone }) : undefined}
      rows={periods}
      max={maxPeriods}
      add={t(`exception.${kind}.add`)}
      remove={(index) => t(`exception.${kind}.remove`, { number: index + 1 })}
      create={newPeriod}
      onChange={onChange}
    >
      {({ begin, end }, change, index) => (
        <>
          <TextField
            label={t('exception.begin')}
            type="datetime-local"
            value={begin}
            onChange={(text) => change({ begin: text })}
            {...errorOf(`openingTimes.${kind}.${index}.periodBegin`)}
          />
          <TextField
            label={t('exception.end')}
            type="datetime-local"
            value={end}
            onChange={(text) => change({ end: text })}
            {...errorOf(`openingTimes.${kind}.${index}.periodEnd`)}
          />
        </>
      )}
    </RowList>
  );
}
