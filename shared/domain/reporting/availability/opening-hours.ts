import type { OpeningTimes } from '#shared/domain/fleet/location.ts';
import { addDays, bucketsOf, dayStart, minuteOfDay, slotMs } from '#shared/domain/kernel/calendar.ts';
import { type Interval, subtract, union } from '#shared/domain/kernel/intervals.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/** Returns the opening hours of a location in a window. Null: always open, or not known. */
export function openIntervals(
  times: OpeningTimes | null,
  window: Interval,
  timeZone: string,
): Interval[] | null {
  if (times === null) return null;
  const { twentyFourSeven, regularHours = [], exceptionalOpenings = [], exceptionalClosings = [] } = times;
  if (twentyFourSeven && exceptionalClosings.length === 0) return null;
  const regular = twentyFourSeven
    ? [window]
    : bucketsOf(window, 'day', timeZone).flatMap(({ date }) => {
        // Sunday is 0.
        const weekday = ((new Date(date).getUTCDay() + 6) % 7) + 1;
        return regularHours
          .filter((hours) => hours.weekday === weekday)
          .map(({ periodBegin, periodEnd }) => ({
            from: localTime(date, periodBegin, timeZone),
            to: localTime(date, periodEnd, timeZone),
          }));
      });
  const closed = subtract(regular, exceptionalClosings.map(periodOf));
  return clip(union([...closed, ...exceptionalOpenings.map(periodOf)]), window);
}

const periodOf = ({ periodBegin, periodEnd }: { periodBegin: string; periodEnd: string }) => ({
  from: Date.parse(periodBegin),
  to: Date.parse(periodEnd),
});

function clip(intervals: readonly Interval[], window: Interval): Interval[] {
  return intervals
    .map(({ from, to }) => ({ from: Math.max(from, window.from), to: Math.min(to, window.to) }))
    .filter(({ from, to }) => from < to);
}

/**
 * Returns the instant at which the clocks show a time (HH:MM) on a local date. A time that the clock change leaves out is the
 * instant of the change. A repeated time is its first instant. 23:59 ends the day: OCPI has no 24:00 (§8.4.14).
 */
function localTime(date: string, time: string, timeZone: string): number {
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  const minutes = hour * 60 + minute;
  const [start, end] = [dayStart(date, timeZone), dayStart(addDays(date, 1), timeZone)];
  if (minutes >= 24 * 60 - 1) return end;
  if (end - start === dayMs) return start + minutes * minuteMs;
  for (let slot = start; slot < end; slot += slotMs) {
    const shown = minuteOfDay(slot, timeZone);
    if (shown + slotMs / minuteMs > minutes) return slot + Math.max(0, minutes - shown) * minuteMs;
  }
  return end;
}
