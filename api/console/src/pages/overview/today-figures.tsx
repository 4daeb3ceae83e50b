import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../api/client.ts';
import { useCan } from '../../app/caller.tsx';
import type { SessionsSearch } from '../sessions/sessions-search.ts';
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
type Day = Today['today'];
type Part = Schemas['DayPart'];

/** Sessions and power now; energy, revenue and sessions of today, compared with the same weekday a week ago. */
export function TodayFigures({ query }: { query: NetworkQuery }) {
  const { t } = useTranslation('overview');
  const formats = useFormats();
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
          search={{ running: 'true' }}
        />
        <Compared
          title={t('today.energy')}
          today={data}
          soFarOf={({ charged }) => charged.energyKwh}
          write={formats.energy}
          counted={(day) => t('today.charged', { count: day.charged.sessions })}
          search={(day) => ({ ...charging(day), inReview: 'false' })}
          inReview={(day) => day.charged.inReviewSessions}
          reviewSearch={charging}
        />
        {currencies.map((currency) => (
          <Compared
            key={currency ?? 'loading'}
            title={currency === undefined ? t('today.revenue') : t('today.revenueIn', { currency })}
            today={data}
            soFarOf={({ soFar }) => revenueIn(soFar, currency)}
            hourOf={(part) => revenueIn(part, currency)}
            write={(value) => formats.money(value, currency ?? 'EUR')}
            counted={(day) => t('today.ended', { count: day.soFar.endedSessions })}
            search={(day) => ({ ...ending(day), counted: 'true' })}
            inReview={({ endedInReview }) => endedInReview}
            reviewSearch={ending}
          />
        ))}
        <Compared
          title={t('today.sessions')}
          today={data}
          soFarOf={({ soFar }) => soFar.startedSessions}
          hourOf={({ startedSessions }) => startedSessions}
          write={formats.integer}
          counted={() => t('today.started')}
          search={({ date }) => ({ from: date, to: date })}
        />
      </div>
      {data !== undefined && <p className={styles['legend']}>{t('today.legend')}</p>}
    </section>
  );
}

const revenueIn = ({ revenue }: Part, currency: string | undefined) =>
  revenue.find((amount) => amount.currency === currency)?.totalInclVat ?? 0;

/** Returns the filter of the sessions that charged in a day so far. */
const charging = ({ soFar: { from, to } }: Day): SessionsSearch => ({ duringFrom: from, duringTo: to });

/** Returns the filter of the sessions that ended in a day so far. The end of the filter is inclusive. */
const ending = ({ soFar: { from, to } }: Day): SessionsSearch => ({
  endedFrom: from,
  endedTo: new Date(Date.parse(to) - 1).toISOString(),
});

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
  search?: SessionsSearch;
  children?: ReactNode;
}) {
  return (
    <div className={styles['card']}>
      <h2 className={styles['title']}>{title}</h2>
      <p className={styles['value']}>
        {value === undefined ? <Skeleton width={96} /> : <SessionsLink search={search}>{value}</SessionsLink>}
      </p>
      <p className={styles['note']}>{note ?? <Skeleton width={130} />}</p>
      {children}
    </div>
  );
}

/** Opens the sessions behind a value, for callers who read sessions. */
function SessionsLink({ search, children }: { search: SessionsSearch | undefined; children: string }) {
  const { t } = useTranslation('overview');
  const mayRead = useCan('cpms:read:sessions');
  if (search === undefined || !mayRead) return children;
  return (
    <Link to="/charging/sessions" search={search} title={t('today.behind')}>
      {children}
    </Link>
  );
}

/**
 * Figure of today with what it counts and leaves out, its difference to the same time a week ago, and the hours of both days where
 * `hourOf` is given.
 */
function Compared({
  title,
  today: data,
  soFarOf,
  hourOf,
  write,
  counted,
  search,
  inReview,
  reviewSearch,
}: {
  title: string;
  today: Today | undefined;
  soFarOf: (day: Day) => number;
  hourOf?: (part: Part) => number;
  write: (value: number) => string;
  /** Names what the figure counts. */
  counted: (day: Day) => string;
  search: (day: Day) => SessionsSearch;
  /** Number of sessions in review, which the figure leaves out. */
  inReview?: (day: Day) => number;
  reviewSearch?: (day: Day) => SessionsSearch;
}) {
  const { t } = useTranslation('overview');
  const formats = useFormats();
  if (data === undefined) return <Figure title={title} value={undefined} note={undefined} />;
  const { today, lastWeek } = data;
  const [now, before] = [soFarOf(today), soFarOf(lastWeek)];
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
  const held = inReview?.(today) ?? 0;
  return (
    <Figure
      title={title}
      value={write(now)}
      note={
        <>
          {counted(today)}
          {held > 0 && (
            <>
              {' · '}
              <SessionsLink search={{ ...reviewSearch?.(today), priceState: 'REVIEW' }}>
                {t('today.leftOut', { count: held })}
              </SessionsLink>
            </>
          )}
        </>
      }
      search={search(today)}
    >
      <p className={styles['note']}>{words}</p>
      {hourOf !== undefined && (
        <HourBars
          label={t('today.hours', { title })}
          today={today.hours.map(hourOf)}
          before={lastWeek.hours.map(hourOf)}
          write={write}
        />
      )}
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
