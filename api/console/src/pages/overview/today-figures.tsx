import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../api/client.ts';
import { useCan } from '../../app/caller.tsx';
import { useFormats } from '../../texts/formats.ts';
import { ErrorNotice } from '../../ui/notice.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { StaleNotice } from '../../ui/stale-notice.tsx';
import { type NetworkQuery, todayQuery } from './overview-queries.ts';
import styles from './today-figures.module.css';
import welcome from './welcome.module.css';

/** Figure of the compared day from which on a change in percent says something. */
const smallestBase = 10;

type Today = Schemas['TodayFigures'];
type Part = Schemas['DayPart'];

/** Sessions and power now; energy, revenue and sessions of today, compared with the same weekday a week ago. */
export function TodayFigures({ query }: { query: NetworkQuery }) {
  const { t } = useTranslation('overview');
  const formats = useFormats();
  const mayReadSessions = useCan('cpms:read:sessions');
  const figures = useQuery(todayQuery({ ...query, timeZone: formats.timeZone }));
  const { data, error, refetch } = figures;
  if (error !== null && data === undefined) return <ErrorNotice error={error} retry={() => void refetch()} />;
  const currencies = data === undefined ? [undefined] : currenciesOf(data);
  return (
    <section aria-label={t('today.label')}>
      <StaleNotice query={figures} />
      <div className={styles['cards']}>
        <Figure
          title={t('today.now')}
          value={data && formats.power(data.running.powerKw)}
          note={data && t('today.running', { count: data.running.sessions })}
          search={mayReadSessions ? { status: 'ACTIVE' } : undefined}
        />
        <Compared
          title={t('today.energy')}
          today={data}
          valueOf={({ energyKwh }) => energyKwh}
          write={formats.energy}
        />
        {currencies.map((currency) => (
          <Compared
            key={currency ?? 'loading'}
            title={currency === undefined ? t('today.revenue') : t('today.revenueIn', { currency })}
            today={data}
            valueOf={({ revenue }) =>
              revenue.find((amount) => amount.currency === currency)?.totalInclVat ?? 0
            }
            write={(value) => formats.money(value, currency ?? 'EUR')}
          />
        ))}
        <Compared
          title={t('today.sessions')}
          today={data}
          valueOf={({ startedSessions }) => startedSessions}
          write={formats.integer}
        />
      </div>
      {data !== undefined && <p className={styles['legend']}>{t('today.legend')}</p>}
    </section>
  );
}

function currenciesOf({ today, lastWeek }: Today): string[] {
  const all = [...today.soFar.revenue, ...lastWeek.soFar.revenue].map(({ currency }) => currency);
  return [...new Set(all)].toSorted();
}

function Figure({
  title,
  value,
  note,
  search,
  children,
}: {
  title: string;
  value: string | undefined;
  note: ReactNode;
  /** Filters of the sessions behind the value. */
  search?: { status?: string; from?: string; to?: string } | undefined;
  children?: ReactNode;
}) {
  const { t } = useTranslation('overview');
  return (
    <div className={styles['card']}>
      <h2 className={styles['title']}>{title}</h2>
      <p className={styles['value']}>
        {value === undefined ? (
          <Skeleton width={96} />
        ) : search === undefined ? (
          value
        ) : (
          <Link to="/charging/sessions" search={search} title={t('today.behind')}>
            {value}
          </Link>
        )}
      </p>
      <p className={styles['note']}>{note ?? <Skeleton width={130} />}</p>
      {children}
    </div>
  );
}

/** Figure of today with its difference to the same time a week ago, and the hours of both days. */
function Compared({
  title,
  today: data,
  valueOf,
  write,
}: {
  title: string;
  today: Today | undefined;
  valueOf: (part: Part) => number;
  write: (value: number) => string;
}) {
  const { t } = useTranslation('overview');
  const formats = useFormats();
  const mayReadSessions = useCan('cpms:read:sessions');
  if (data === undefined) return <Figure title={title} value={undefined} note={undefined} />;
  const [now, before] = [valueOf(data.today.soFar), valueOf(data.lastWeek.soFar)];
  const change = (now - before) / before;
  const words =
    before === 0
      ? t('today.lastWeekNothing')
      : before < smallestBase
        ? t('today.lastWeekValue', { value: write(before) })
        : t('today.lastWeek', {
            change: `${change > 0 ? '+' : ''}${formats.percent(change)}`,
            value: write(before),
          });
  return (
    <Figure
      title={title}
      value={write(now)}
      note={words}
      search={mayReadSessions ? { from: data.today.date, to: data.today.date } : undefined}
    >
      <HourBars
        label={t('today.hours', { title })}
        today={data.today.hours.map(valueOf)}
        before={data.lastWeek.hours.map(valueOf)}
        write={write}
      />
    </Figure>
  );
}

const height = 40;
const barWidth = 8;
const step = 10;

/** Bars of the hours of a day, and of the compared day as lines above them. */
function HourBars({
  label,
  today,
  before,
  write,
}: {
  label: string;
  today: readonly number[];
  before: readonly number[];
  write: (value: number) => string;
}) {
  const hours = Math.max(today.length, before.length);
  const maximum = Math.max(...today, ...before, Number.MIN_VALUE);
  const top = (value: number) => height - (value / maximum) * (height - 2);
  return (
    <svg
      role="img"
      aria-label={label}
      className={welcome['bars']}
      viewBox={`0 0 ${hours * step} ${height}`}
      preserveAspectRatio="none"
    >
      {Array.from({ length: hours }, (_, hour) => (
        <g key={hour}>
          <title>{`${String(hour).padStart(2, '0')}:00  ${write(today[hour] ?? 0)} · ${write(before[hour] ?? 0)}`}</title>
          <rect x={hour * step} width={step} height={height} fill="transparent" />
          <rect
            className={welcome['today']}
            x={hour * step + 1}
            y={top(today[hour] ?? 0)}
            width={barWidth}
            height={height - top(today[hour] ?? 0)}
          />
          <rect
            className={welcome['before']}
            x={hour * step}
            y={top(before[hour] ?? 0) - 1}
            width={step}
            height={2}
          />
        </g>
      ))}
    </svg>
  );
}
