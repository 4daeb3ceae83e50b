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
import { type AnalyticsSearch, periodOf, windowBefore, windowOf } from './analytics-search.ts';
import { Availability } from './availability.tsx';
import { Breakdown } from './breakdown.tsx';
import { HeatMap } from './heat-map.tsx';
import { KeyFigures } from './key-figures.tsx';
import { TimeSection } from './time-section.tsx';
import { WindowFilters } from './window-filters.tsx';
import styles from './analytics-page.module.css';

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
