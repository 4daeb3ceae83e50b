import { addDays, bucketsOf, dayStart, minuteOfDay, slotMs } from './calendar.ts';
import type { Interval } from './intervals.ts';

/** Part of an hour of a local day within a window, in ms since 1970. */
export interface LocalHour extends Interval {
  /** Local date, such as 2026-11-02. */
  date: string;
  /** Day of the week from 1 (Monday) to 7 (ISO 8601). */
  weekday: number;
  /** Hour that the clocks show, 0 to 23. */
  hour: number;
}

const hourMs = 60 * 60_000;

/**
 * Returns the hours of a time zone that a window touches, in order, cut to it. An hour that the clock change repeats is listed
 * twice, and one that it omits is missing.
 * @throws {RangeError} for an unknown time zone.
 */
export function hoursOf(window: Interval, timeZone: string): LocalHour[] {
  return bucketsOf(window, 'day', timeZone).flatMap(({ date }) => {
    const day = { from: dayStart(date, timeZone), to: dayStart(addDays(date, 1), timeZone) };
    // Sunday is 0.
    const weekday = ((new Date(date).getUTCDay() + 6) % 7) + 1;
    const hours = day.to - day.from === 24 * hourMs ? regularHours(day) : changedHours(day, timeZone);
    return hours.flatMap(({ from, to, hour }) => {
      const part = { from: Math.max(from, window.from), to: Math.min(to, window.to) };
      return part.from < part.to ? [{ ...part, date, weekday, hour }] : [];
    });
  });
}

type DayHour = Interval & { hour: number };

function regularHours({ from }: Interval): DayHour[] {
  return Array.from({ length: 24 }, (_, hour) => ({
    from: from + hour * hourMs,
    to: from + (hour + 1) * hourMs,
    hour,
  }));
}

/** Returns the hours of a day with a clock change, which may move by half an hour. */
function changedHours({ from, to }: Interval, timeZone: string): DayHour[] {
  const hours: DayHour[] = [];
  let before = -1;
  for (let slot = from; slot < to; slot += slotMs) {
    const minute = minuteOfDay(slot, timeZone);
    const hour = Math.floor(minute / 60);
    const last = hours.at(-1);
    if (last !== undefined && last.hour === hour && minute > before) last.to = slot + slotMs;
    else hours.push({ from: slot, to: slot + slotMs, hour });
    before = minute;
  }
  return hours;
}
