import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNetworks } from '../../app/caller.tsx';
import { useNetworkQuery } from '../../app/network-switcher.tsx';
import { useFormats } from '../../texts/formats.ts';
import { ErrorNotice } from '../../ui/notice.tsx';
import { StaleNotice } from '../../ui/stale-notice.tsx';
import { seriesQuery, type Series } from './analytics-queries.ts';
import {
  type AnalyticsSearch,
  periodOf,
  windowBefore,
  windowOf,
  type Range,
  rangeOf,
  ranges,
  type Window,
} from './analytics-search.ts';
import { Availability } from './availability.tsx';
import { Breakdown } from './breakdown.tsx';
import { HeatMap } from './heat-map.tsx';
import { KeyFigures } from './key-figures.tsx';
import { TimeSection } from './time-section.tsx';
import styles from './analytics-page.module.css';
import { X } from '../../ui/icons/icons.ts';
import { usePageZone } from '../../texts/page-zone.ts';
import { zonedDayEnd, zonedDayStart, zonedInput } from '../../texts/zoned-time.ts';
import { Button } from '../../ui/button.tsx';
import { DateField } from '../../ui/date-field.tsx';
import { Select } from '../../ui/field.tsx';
import { SliceFilters } from './slice-filters.tsx';

const minuteMs = 60_000;
const thisMinute = () => Math.floor(Date.now() / minuteMs) * minuteMs;

/** Returns the time of the current minute in ms: windows until now keep their queries for a minute. */
function useMinute(): number {
  const [minute, setMinute] = useState(thisMinute);
  useEffect(() => {
    const timer = setInterval(() => setMinute(thisMinute()), minuteMs / 6);
    return () => clearInterval(timer);
  }, []);
  return minute;
}

/** Page of analytics: key figures, a chart, hours of the week, records and availability. */
export function AnalyticsPage() {
  const { t } = useTranslation('analytics');
  const navigate = useNavigate();
  const search = useSearch({ from: '/signed-in/reporting/analytics' });
  const network = useNetworkQuery();
  const networks = useNetworks();
  const formats = useFormats();
  const { timeZone } = formats;
  const now = useMinute();
  const window = windowOf(search, now);
  const period = periodOf(search, window);
  const series = useQuery(seriesQuery(search, network, { window, period, timeZone }));
  const before = useQuery(
    seriesQuery(search, network, { window: windowBefore(window), period: 'month', timeZone }),
  );
  const own = networks.find(({ id }) => id === network.networkUuid) ?? networks[0];
  const currencies = currenciesOf([series.data, before.data]);
  const asked = /^[A-Z]{3}$/.test(search.currency ?? '') ? search.currency : undefined;
  const currency = asked ?? currencies[0] ?? own?.currency ?? 'EUR';
  const change = (changed: AnalyticsSearch) =>
    void navigate({ to: '.', search: (all) => ({ ...all, ...changed }), replace: true });

  return (
    <div className={styles['page']}>
      <header className={styles['header']}>
        <h1>{t('title')}</h1>
        <p className={styles['shown']}>
          {t('shown', {
            from: formats.shortDateTime(window.from),
            to: formats.shortDateTime(window.to),
          })}
        </p>
      </header>
      <WindowFilters
        search={search}
        window={window}
        currencies={currencies}
        currency={currency}
        onChange={change}
      />
      <StaleNotice query={series} />
      {series.error !== null && series.data === undefined ? (
        <ErrorNotice error={series.error} retry={() => void series.refetch()} />
      ) : (
        <>
          <KeyFigures
            search={search}
            window={window}
            currency={currency}
            now={series.data}
            before={before.data}
            retryBefore={before.isError ? () => void before.refetch() : undefined}
          />
          <TimeSection
            search={search}
            window={window}
            period={period}
            currency={currency}
            data={series.data}
            onChange={change}
          />
          <HeatMap search={search} window={window} onChange={change} />
          <Breakdown search={search} window={window} currency={currency} onChange={change} />
          <Availability search={search} window={window} />
        </>
      )}
    </div>
  );
}

/** Returns the currencies of the windows, that of the most revenue of the first window before the others. */
function currenciesOf(windows: readonly (Series | undefined)[]): string[] {
  const all = windows.flatMap((each) => each?.totals.revenue ?? []);
  const ordered = all.toSorted((a, b) => b.totalInclVat - a.totalInclVat);
  return [...new Set(ordered.map(({ currency }) => currency))];
}

interface Props {
  search: AnalyticsSearch;
  window: Window;
  currencies: readonly string[];
  currency: string;
  onChange: (changed: AnalyticsSearch) => void;
}

const custom = 'custom';

/** Window and filters of the page. */
function WindowFilters({ search, window, currencies, currency, onChange }: Props) {
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
