import { X } from '../../ui/icons/icons.ts';
import { useTranslation } from 'react-i18next';
import { usePageZone } from '../../texts/page-zone.ts';
import { zonedDayEnd, zonedDayStart, zonedInput } from '../../texts/zoned-time.ts';
import { Button } from '../../ui/button.tsx';
import { DateField } from '../../ui/date-field.tsx';
import { Select } from '../../ui/field.tsx';
import { type AnalyticsSearch, type Range, rangeOf, ranges, type Window } from './analytics-search.ts';
import { SliceFilters } from './slice-filters.tsx';
import styles from './analytics-page.module.css';

interface Props {
  search: AnalyticsSearch;
  window: Window;
  currencies: readonly string[];
  currency: string;
  onChange: (changed: AnalyticsSearch) => void;
}

const custom = 'custom';

/** Window and filters of the page. */
export function WindowFilters({ search, window, currencies, currency, onChange }: Props) {
  const { t } = useTranslation('analytics');
  const isCustom = search.from !== undefined && search.to !== undefined;
  const isFiltered = [search.locationId, search.modelId, search.tariffId].some((id) => id !== undefined);
  const zone = usePageZone();
  const dateOf = (time: number) => zonedInput(time, zone).slice(0, 10);
  /** The last day is included. */
  const choose = (first: string, last: string) => {
    const [from, to] = [zonedDayStart(first, zone), zonedDayEnd(last, zone)];
    if (from !== undefined && to !== undefined && from < to) onChange({ from, to });
  };
  return (
    <search className={styles['filters']} aria-label={t('filters')}>
      <Select
        label={t('window')}
        options={[
          ...(Object.keys(ranges) as Range[]).map((id) => ({ id, text: t(`range.${id}`) })),
          ...(isCustom ? [{ id: custom, text: t('range.custom') }] : []),
        ]}
        value={isCustom ? custom : rangeOf(search)}
        onChange={(range) => range !== custom && onChange({ range, from: undefined, to: undefined })}
      />
      <DateField
        label={t('from')}
        value={dateOf(window.from)}
        onChange={(date) => date !== undefined && choose(date, dateOf(window.to))}
      />
      <DateField
        label={t('to')}
        value={dateOf(window.to)}
        onChange={(date) => date !== undefined && choose(dateOf(window.from), date)}
      />
      <SliceFilters search={search} onChange={onChange} />
      {currencies.length > 1 && (
        <Select
          label={t('currency')}
          options={currencies.map((id) => ({ id, text: id }))}
          value={currency}
          onChange={(id) => onChange({ currency: id })}
        />
      )}
      {isFiltered && (
        <Button
          kind="quiet"
          onPress={() => onChange({ locationId: undefined, modelId: undefined, tariffId: undefined })}
        >
          <X aria-hidden size={15} />
          {t('clear')}
        </Button>
      )}
    </search>
  );
}
