import { Download } from '../../ui/icons/icons.ts';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { csvLine, saveCsv } from '../../ui/csv.ts';
import type { TimeRange } from '../../ui/chart/series.ts';
import { TimeChart } from '../../ui/chart/time-chart.tsx';
import { Select } from '../../ui/field.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { revenueIn, type Series, type Sums } from './analytics-queries.ts';
import {
  type AnalyticsSearch,
  iso,
  knownOr,
  type Metric,
  metrics,
  type Period,
  periods,
  type Window,
  sessionsBehind,
} from './analytics-search.ts';
import { useFormats } from '../../texts/formats.ts';
import { SessionsLink } from './sessions-link.tsx';
import styles from './tables.module.css';

interface Props {
  search: AnalyticsSearch;
  window: Window;
  period: Period;
  currency: string;
  data: Series | undefined;
  onChange: (changed: AnalyticsSearch) => void;
}

const colors = {
  energy: '--series-1',
  revenue: '--series-3',
  sessions: '--series-4',
  utilization: '--series-2',
} as const;

const secondsOf: Record<Period, number> = { hour: 3600, day: 90_000, week: 7 * 86_400, month: 31 * 86_400 };

/** Returns the value of a metric; null without one. */
function metricOf(sums: Sums, metric: Metric, currency: string): number | null {
  if (metric === 'energy') return sums.energyKwh;
  if (metric === 'revenue') return revenueIn(sums, currency);
  return metric === 'sessions' ? sums.sessions : sums.utilizationPercent;
}

/** One metric over time. Dragging chooses a window. */
export function TimeSection({ search, window, period, currency, data, onChange }: Props) {
  const { t } = useTranslation('analytics');
  const metric = knownOr(metrics, search.metric);
  const units = { energy: 'kWh', revenue: currency, sessions: '', utilization: '%' };
  const title = t(`metric.${metric}`);
  const chart = useMemo(() => {
    const values = data?.values ?? [];
    const last = values.at(-1);
    // The last value holds until its end.
    const all = last === undefined ? [] : [...values, { ...last, from: last.to }];
    return {
      times: all.map(({ from }) => Date.parse(from) / 1000),
      mean: all.map((value) => metricOf(value, metric, currency)),
    };
  }, [data, metric, currency]);
  const unit = units[metric];
  const color = colors[metric];
  const series = useMemo(
    () => [{ id: metric, title, unit, color, mean: chart.mean }],
    [metric, title, unit, color, chart],
  );
  const range = { from: window.from / 1000, to: window.to / 1000 };
  /** A brushed window takes whole periods. */
  const zoom = (brushed: TimeRange | null) => {
    if (brushed === null) return onChange({ from: undefined, to: undefined });
    const touched = (data?.values ?? []).filter(
      ({ from, to }) => Date.parse(to) / 1000 > brushed.from && Date.parse(from) / 1000 < brushed.to,
    );
    const [first, last] = [touched[0], touched.at(-1)];
    if (first === undefined || last === undefined) return undefined;
    return onChange({ from: first.from, to: iso(Date.parse(last.to) - 1), period: undefined });
  };
  const download = () => {
    if (data === undefined) return;
    const currencies = [
      ...new Set(data.values.flatMap(({ revenue }) => revenue.map((each) => each.currency))),
    ];
    const names = [
      'from',
      'to',
      'sessions',
      'energyKwh',
      'utilizationPercent',
      ...currencies.map((each) => `revenue ${each}`),
    ];
    saveCsv('analytics-time', [
      csvLine(names),
      ...data.values.map((value) =>
        csvLine([
          value.from,
          value.to,
          value.sessions,
          value.energyKwh,
          value.utilizationPercent,
          ...currencies.map((each) => revenueIn(value, each)),
        ]),
      ),
    ]);
  };
  return (
    <Card
      title={t('time.title')}
      actions={
        <>
          <Select
            label={t('metric.label')}
            hidesLabel
            options={metrics.map((id) => ({ id, text: t(`metric.${id}`) }))}
            value={metric}
            onChange={(id) => onChange({ metric: id })}
          />
          <Select
            label={t('period.label')}
            hidesLabel
            options={periods.map((id) => ({ id, text: t(`period.${id}`) }))}
            value={period}
            onChange={(id) => onChange({ period: id })}
          />
          <Button kind="quiet" onPress={download} isDisabled={data === undefined}>
            <Download aria-hidden size={15} />
            {t('csv')}
          </Button>
        </>
      }
    >
      {data === undefined ? (
        <Skeleton height={260} />
      ) : (
        <>
          <TimeChart
            title={unit === '' ? title : `${title} (${unit})`}
            times={chart.times}
            series={series}
            range={range}
            bucketSeconds={secondsOf[period]}
            syncKey="analytics"
            onZoom={zoom}
            startsAtZero
            isStepped
            height={220}
          />
          <ValuesTable search={search} period={period} currency={currency} data={data} />
        </>
      )}
    </Card>
  );
}

interface ValuesTableProps {
  search: AnalyticsSearch;
  period: Period;
  currency: string;
  data: Series;
}

/** Values of the chart as a table, newest first, each with its sessions. */
function ValuesTable({ search, period, currency, data }: ValuesTableProps) {
  const { t } = useTranslation('analytics');
  const formats = useFormats();
  const rows = data.values.filter(({ sessions }) => sessions > 0).toReversed();
  return (
    <details className={styles['details']}>
      <summary>{t('time.table')}</summary>
      <div className={styles['scroll']}>
        <table className={styles['table']}>
          <thead>
            <tr>
              <th scope="col">{t('time.from')}</th>
              {(['sessions', 'energy', 'revenue', 'utilization'] as const).map((metric) => (
                <th key={metric} scope="col">
                  {t(`metric.${metric}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((value) => (
              <tr key={value.from}>
                <th scope="row">
                  {period === 'hour' ? formats.shortDateTime(value.from) : formats.date(value.from)}
                </th>
                <td>
                  <SessionsLink
                    search={sessionsBehind(
                      search,
                      { from: Date.parse(value.from), to: Date.parse(value.to) - 1 },
                      data.timeZone,
                    )}
                  >
                    {formats.integer(value.sessions)}
                  </SessionsLink>
                </td>
                <td>{formats.energy(value.energyKwh)}</td>
                <td>{formats.money(revenueIn(value, currency), currency)}</td>
                <td>
                  {value.utilizationPercent === null ? '–' : formats.percent(value.utilizationPercent / 100)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}
