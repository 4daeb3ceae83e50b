import type { Interval } from './intervals.ts';

/** Periods that sums are grouped by. A week begins on Monday (ISO 8601). */
export const calendarPeriods = ['day', 'week', 'month'] as const;
export type CalendarPeriod = (typeof calendarPeriods)[number];

/** The part of a day, week or month that lies within a window, in ms since 1970. */
export interface Bucket extends Interval {
  /** The local date on which the period begins, such as 2026-11-02. */
  date: string;
}

const dayMs = 24 * 60 * 60 * 1000;

/** Every time zone's days begin at a multiple of this: no offset since 1972 is finer. */
export const slotMs = 15 * 60 * 1000;

/** The farthest that a zone's midnight is from that of UTC, and some. */
const farthestMs = 16 * 60 * 60 * 1000;

/**
 * The days, weeks or months of a time zone that a window touches, in order, cut to it; they have as many hours as the
 * clock change leaves them. `to` is the end of the last one.
 * @throws {RangeError} for an unknown time zone.
 */
export function bucketsOf({ from, to }: Interval, period: CalendarPeriod, timeZone: string): Bucket[] {
  const buckets: Bucket[] = [];
  let date = periodStart(localDate(from, timeZone), period);
  let start = from;
  while (start < to) {
    const nextDate = nextPeriod(date, period);
    const end = Math.min(dayStart(nextDate, timeZone), to);
    // A day that a zone left out (Samoa, 30 December 2011) has no time in it.
    if (start < end) buckets.push({ date, from: start, to: end });
    date = nextDate;
    start = Math.max(start, end);
  }
  return buckets;
}

/** Asked of Intl once for each zone: making a DateTimeFormat costs more than a year of days. */
const formats = new Map<string, Intl.DateTimeFormat>();

/** The local date (YYYY-MM-DD) of an instant. */
export function localDate(time: number, timeZone: string): string {
  let format = formats.get(timeZone);
  if (format === undefined) {
    // Canada writes dates as ISO 8601 does.
    format = new Intl.DateTimeFormat('en-CA', {
      timeZone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
    });
    formats.set(timeZone, format);
  }
  return format.format(time);
}

const minuteFormats = new Map<string, Intl.DateTimeFormat>();

/** Minutes since midnight that the clocks of a time zone show. */
export function minuteOfDay(time: number, timeZone: string): number {
  let format = minuteFormats.get(timeZone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en', {
      timeZone,
      hourCycle: 'h23',
      hour: 'numeric',
      minute: 'numeric',
    });
    minuteFormats.set(timeZone, format);
  }
  const parts = format.formatToParts(time);
  const part = (type: string) => Number(parts.find((found) => found.type === type)?.value);
  return part('hour') * 60 + part('minute');
}

/** A local day, and the instant in it at which the clock shows the same time as at another instant. */
export interface ComparedDay extends Bucket {
  sameTime: number;
}

/**
 * Returns the local day that lies a number of days before that of an instant. A time that the clock change left out counts as
 * the time an hour earlier.
 */
export function comparedDay(now: number, daysBefore: number, timeZone: string): ComparedDay {
  const today = localDate(now, timeZone);
  const date = addDays(today, -daysBefore);
  const [from, to] = [dayStart(date, timeZone), dayStart(addDays(date, 1), timeZone)];
  const elapsed = from + (now - dayStart(today, timeZone));
  // The days differ by a clock change at most.
  const shown = minuteOfDay(now, timeZone) - minuteOfDay(elapsed, timeZone);
  const change = Math.abs(shown) <= 180 ? shown * 60_000 : 0;
  return { date, from, to, sameTime: Math.min(Math.max(elapsed + change, from), to) };
}

const knownStarts = new Map<string, number>();
const maxKnownStarts = 100_000;

/** Returns the first instant whose local date is this one, or a later one where the zone left it out. */
export function dayStart(date: string, timeZone: string): number {
  const key = `${timeZone} ${date}`;
  const known = knownStarts.get(key);
  if (known !== undefined) return known;
  const midnight = Date.parse(date);
  let before = midnight - farthestMs;
  let after = midnight + farthestMs;
  while (after - before > slotMs) {
    const middle = before + Math.floor((after - before) / slotMs / 2) * slotMs;
    if (localDate(middle, timeZone) >= date) after = middle;
    else before = middle;
  }
  if (knownStarts.size >= maxKnownStarts) knownStarts.clear();
  knownStarts.set(key, after);
  return after;
}

function periodStart(date: string, period: CalendarPeriod): string {
  if (period === 'day') return date;
  if (period === 'month') return `${date.slice(0, 7)}-01`;
  // Sunday is 0.
  const sinceMonday = (new Date(date).getUTCDay() + 6) % 7;
  return addDays(date, -sinceMonday);
}

function nextPeriod(date: string, period: CalendarPeriod): string {
  if (period === 'day') return addDays(date, 1);
  if (period === 'week') return addDays(date, 7);
  // From its first day 31 days on is always in the next month.
  return `${addDays(date, 31).slice(0, 7)}-01`;
}

export function addDays(date: string, days: number): string {
  return new Date(Date.parse(date) + days * dayMs).toISOString().slice(0, 10);
}
