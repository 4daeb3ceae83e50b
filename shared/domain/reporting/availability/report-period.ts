import { dayStart } from '#shared/domain/kernel/calendar.ts';
import type { Interval } from '#shared/domain/kernel/intervals.ts';

/** Lengths of the periods of reports. */
export const reportPeriods = ['month', 'quarter', 'year'] as const;
export type ReportPeriod = (typeof reportPeriods)[number];

/** Form of a period: a year, a quarter or a month. */
export const periodPattern = '^20[0-9]{2}(-(0[1-9]|1[0-2])|-Q[1-4])?$';

/** Returns the length of a period such as `2026`, `2026-Q3` or `2026-10`. */
export function periodKind(period: string): ReportPeriod {
  if (period.length === 4) return 'year';
  return period.includes('Q') ? 'quarter' : 'month';
}

/** Returns the instants at which a period begins and ends in a time zone. */
export function periodInterval(period: string, timeZone: string): Interval {
  const months = { month: 1, quarter: 3, year: 12 }[periodKind(period)];
  const first = firstMonth(period);
  return { from: monthStart(first, timeZone), to: monthStart(first + months, timeZone) };
}

/** Returns the twelve months that end with a month. */
export function twelveMonths(month: string, timeZone: string): Interval {
  const next = firstMonth(month) + 1;
  return { from: monthStart(next - 12, timeZone), to: monthStart(next, timeZone) };
}

/** Returns the number of months since the year 0 at the begin of a period. */
function firstMonth(period: string): number {
  const year = Number(period.slice(0, 4)) * 12;
  if (periodKind(period) === 'year') return year;
  return year + (period[5] === 'Q' ? (Number(period[6]) - 1) * 3 : Number(period.slice(5)) - 1);
}

function monthStart(months: number, timeZone: string): number {
  const date = new Date(Date.UTC(Math.floor(months / 12), months % 12)).toISOString().slice(0, 10);
  return dayStart(date, timeZone);
}
