import { Plus, X } from '../../ui/icons/icons.ts';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../texts/formats.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import type { ErrorOf } from '../../ui/field-errors.tsx';
import { Select, TextField } from '../../ui/field.tsx';
import type { FieldsProps } from './location-fields.tsx';
import { type Hours, type Opening, newPeriod, type PeriodDraft } from './opening-draft.ts';
import styles from './locations.module.css';
import { RowList } from '../../ui/row-list.tsx';

const maxPeriods = 200;

interface Props {
  kind: 'exceptionalOpenings' | 'exceptionalClosings';
  periods: readonly PeriodDraft[];
  timeZone: string;
  errorOf: ErrorOf;
  onChange: (periods: PeriodDraft[]) => void;
}

/** Exceptional openings or closings of a location, in its time zone. */
function PeriodFields({ kind, periods, timeZone, errorOf, onChange }: Props) {
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

const choices: readonly Opening[] = ['unknown', 'always', 'hours'];
const weekdays = ['1', '2', '3', '4', '5', '6', '7'] as const;

/** Opening times of a location: none, always, or hours by weekday, with exceptions. */
export function OpeningFields({ draft, errorOf, onChange }: FieldsProps & { errorOf: ErrorOf }) {
  const { opening, hours, openings, closings, timeZone } = draft;
  const { t } = useTranslation('locations');
  const { locale } = useFormats();
  const changeAt = (index: number, part: Partial<Hours>) =>
    onChange({ hours: hours.map((each, at) => (at === index ? { ...each, ...part } : each)) });
  const choose = (next: Opening) => {
    const usual = [1, 2, 3, 4, 5].map((weekday) => ({ weekday, periodBegin: '08:00', periodEnd: '18:00' }));
    onChange({ opening: next, hours: next === 'hours' && hours.length === 0 ? usual : hours });
  };
  const add = () => {
    const weekday = Math.min(7, (hours.at(-1)?.weekday ?? 0) + 1);
    onChange({ hours: [...hours, { weekday, periodBegin: '08:00', periodEnd: '18:00' }] });
  };
  return (
    <>
      <Select
        label={t('opening.label')}
        options={choices.map((id) => ({ id, text: t(`opening.${id}`) }))}
        value={opening}
        onChange={choose}
      />
      {opening === 'hours' &&
        hours.map(({ weekday, periodBegin, periodEnd }, index) => (
          // Rows have no identity of their own.
          <div key={`${index}-${hours.length}`} className={styles['hours']}>
            <Select
              label={t('weekday')}
              hidesLabel={index > 0}
              options={weekdays.map((id) => ({ id, text: weekdayName(Number(id), locale) }))}
              value={weekdays[weekday - 1] ?? null}
              onChange={(id) => changeAt(index, { weekday: Number(id) })}
            />
            <TextField
              label={t('opens')}
              hidesLabel={index > 0}
              type="time"
              value={periodBegin}
              onChange={(begin) => changeAt(index, { periodBegin: begin })}
              {...errorOf(`openingTimes.regularHours.${index}.periodBegin`)}
            />
            <TextField
              label={t('closes')}
              hidesLabel={index > 0}
              type="time"
              value={periodEnd}
              onChange={(end) => changeAt(index, { periodEnd: end })}
              {...errorOf(`openingTimes.regularHours.${index}.periodEnd`)}
            />
            <Button
              kind="quiet"
              isIcon
              aria-label={`${t('removeHours')}: ${weekdayName(weekday, locale)}`}
              onPress={() => onChange({ hours: hours.filter((_, at) => at !== index) })}
            >
              <X aria-hidden size={15} />
            </Button>
          </div>
        ))}
      {opening === 'hours' && (
        <div>
          <Button onPress={add}>
            <Plus aria-hidden size={15} />
            {t('addHours')}
          </Button>
        </div>
      )}
      {opening === 'hours' && (
        <PeriodFields
          kind="exceptionalOpenings"
          periods={openings}
          timeZone={timeZone}
          errorOf={errorOf}
          onChange={(changed) => onChange({ openings: changed })}
        />
      )}
      {opening !== 'unknown' && (
        <>
          <PeriodFields
            kind="exceptionalClosings"
            periods={closings}
            timeZone={timeZone}
            errorOf={errorOf}
            onChange={(changed) => onChange({ closings: changed })}
          />
          <Checkbox
            isSelected={draft.chargingWhenClosed}
            onChange={(chargingWhenClosed) => onChange({ chargingWhenClosed })}
          >
            {t('whenClosed')}
          </Checkbox>
        </>
      )}
    </>
  );
}

/** Returns the name of a weekday, 1 (Monday) to 7. */
export function weekdayName(weekday: number, locale: string): string {
  // 2024 began with a Monday.
  const day = new Date(Date.UTC(2024, 0, weekday));
  return new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone: 'UTC' }).format(day);
}
