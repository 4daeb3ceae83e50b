import { useTranslation } from 'react-i18next';
import { useFormats } from '../../texts/formats.ts';
import { revenueIn, type Series } from './analytics-queries.ts';
import { type AnalyticsSearch, type Period, sessionsBehind } from './analytics-search.ts';
import { SessionsLink } from './sessions-link.tsx';
import styles from './tables.module.css';

interface Props {
  search: AnalyticsSearch;
  period: Period;
  currency: string;
  data: Series;
}

/** Values of the chart as a table, newest first, each with its sessions. */
export function ValuesTable({ search, period, currency, data }: Props) {
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
