const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/** Time zones change their offset at whole quarters of an hour. */
const quarterMs = 15 * minuteMs;

/** Local date and time of day. */
interface WallClock {
  /** YYYY-MM-DD. */
  date: string;
  /** Since midnight. */
  minutes: number;
  /** 0 is Sunday. */
  weekday: number;
}

/** The clocks of a place; instants are ms since 1970. */
export interface LocalClock {
  at(instant: number): WallClock;
  /**
   * The instants between two others at which the clock shows one of these minutes of the day, and those at which it is
   * put forward or back. Around such a change an instant too many may be among them, never one too few.
   */
  instants(from: number, to: number, minutesOfDay: readonly number[]): number[];
}

/**
 * Returns the clocks of a time zone.
 * @throws {RangeError} when the time zone does not exist.
 */
export function localClock(timeZone: string): LocalClock {
  const offsetAt = rememberOffsets(timeZone);
  return {
    at(instant) {
      const local = new Date(instant + offsetAt(instant));
      return {
        date: local.toISOString().slice(0, 10),
        minutes: local.getUTCHours() * 60 + local.getUTCMinutes(),
        weekday: local.getUTCDay(),
      };
    },
    instants(from, to, minutesOfDay) {
      const found = new Set<number>();
      for (let day = Math.floor(from / dayMs) - 1; day * dayMs <= to + dayMs; day += 1) {
        const offsets = [offsetAt((day - 1) * dayMs), offsetAt((day + 2) * dayMs)];
        for (const minutes of minutesOfDay) {
          // An hour that is shown twice begins twice; one that is left out is caught by the change itself.
          for (const offset of offsets) found.add(day * dayMs + minutes * minuteMs - offset);
        }
      }
      for (const change of changes(offsetAt, from, to)) found.add(change);
      return [...found].filter((instant) => instant > from && instant < to).toSorted((a, b) => a - b);
    },
  };
}

/** The instants at which the offset changes. */
function changes(offsetAt: (instant: number) => number, from: number, to: number): number[] {
  const found: number[] = [];
  for (let start = Math.floor(from / dayMs) * dayMs; start < to; start += dayMs) {
    if (offsetAt(start) === offsetAt(start + dayMs)) continue;
    let before = start;
    let after = start + dayMs;
    while (after - before > quarterMs) {
      const middle = before + Math.floor((after - before) / 2 / quarterMs) * quarterMs;
      if (offsetAt(middle) === offsetAt(before)) before = middle;
      else after = middle;
    }
    found.push(after);
  }
  return found;
}

/** Asked of Intl once per time zone: making a DateTimeFormat costs more than pricing a session. */
const formats = new Map<string, Intl.DateTimeFormat>();

/** Offset from UTC in ms; each quarter of an hour is computed once. */
function rememberOffsets(timeZone: string): (instant: number) => number {
  if (timeZone === 'UTC') return () => 0;
  const format =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
    });
  formats.set(timeZone, format);
  const known = new Map<number, number>();
  return (instant) => {
    const quarter = Math.floor(instant / quarterMs) * quarterMs;
    let offset = known.get(quarter);
    if (offset === undefined) {
      const parts = format.formatToParts(quarter);
      const part = (type: string) => Number(parts.find((found) => found.type === type)?.value);
      offset = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute')) - quarter;
      known.set(quarter, offset);
    }
    return offset;
  };
}
