import type { LocalClock } from './local-clock.ts';
import { daysOfWeek, type TariffElement, type TariffRestrictions } from './tariff.ts';
import type { Stretch } from './usage.ts';

const midnight = '00:00';

/** Restrictions of the elements that price a session; elements for reservations are excluded. */
function restrictionsOf(elements: readonly TariffElement[]): TariffRestrictions[] {
  return elements.flatMap(({ restrictions }) =>
    restrictions === undefined || restrictions.reservation !== undefined ? [] : [restrictions],
  );
}

/** The instants (ms) within a session, in order, at which the passing of time makes elements active or inactive. */
export function timeBorders(
  elements: readonly TariffElement[],
  clock: LocalClock,
  session: { from: number; to: number },
): number[] {
  const restrictions = restrictionsOf(elements);
  const durations = restrictions
    .flatMap(({ min_duration, max_duration }) => [min_duration ?? [], max_duration ?? []].flat())
    .map((seconds) => session.from + seconds * 1000)
    .filter((instant) => instant > session.from && instant < session.to);
  const minutes = restrictions.flatMap(({ start_time, end_time, start_date, end_date, day_of_week }) => [
    // A period with only one of them begins or ends with the day.
    ...((start_time ?? end_time) === undefined
      ? []
      : [start_time ?? midnight, end_time ?? midnight].map(minutesOf)),
    ...((start_date ?? end_date ?? day_of_week) === undefined ? [] : [0]),
  ]);
  const times = minutes.length === 0 ? [] : clock.instants(session.from, session.to, [...new Set(minutes)]);
  return [...durations, ...times].toSorted((a, b) => a - b);
}

/** The energies (mWh) at which elements become active or inactive. */
export function energyBorders(elements: readonly TariffElement[]): number[] {
  return restrictionsOf(elements).flatMap(({ min_kwh, max_kwh }) =>
    [min_kwh ?? [], max_kwh ?? []].flat().map(toMwh),
  );
}

/** Returns true when an element depends on power or current, which only readings contain. */
export function looksAtFlow(elements: readonly TariffElement[]): boolean {
  return restrictionsOf(elements).some(
    ({ min_power, max_power, min_current, max_current }) =>
      (min_power ?? max_power ?? min_current ?? max_current) !== undefined,
  );
}

/** Returns true when an element depends on current. */
export function looksAtCurrent({ restrictions }: TariffElement): boolean {
  return (restrictions?.min_current ?? restrictions?.max_current) !== undefined;
}

/**
 * Returns true when the time of a stretch allows an element to be active; constant until the next of the
 * `timeBorders`.
 */
export function isOpen(
  { restrictions }: TariffElement,
  instant: number,
  session: { from: number; clock: LocalClock },
): boolean {
  if (restrictions === undefined) return true;
  if (restrictions.reservation !== undefined) return false;
  const { min_duration, max_duration } = restrictions;
  return (
    isWithin((instant - session.from) / 1000, min_duration, max_duration) &&
    isOnClock(restrictions, instant, session.clock)
  );
}

/**
 * Returns true when energy, current and power allow an element to be active in a stretch, which no border cuts.
 * Minimums are inclusive and maximums exclusive; an unmeasured current is within no limits (OCPI 2.2.1 §11.4.6).
 */
export function isWithinLimits({ restrictions }: TariffElement, stretch: Stretch): boolean {
  if (restrictions === undefined) return true;
  const { min_kwh, max_kwh, min_current, max_current, min_power, max_power } = restrictions;
  return (
    isWithin(stretch.fromMwh, min_kwh && toMwh(min_kwh), max_kwh && toMwh(max_kwh)) &&
    isWithin(stretch.currentA, min_current, max_current) &&
    isWithin(stretch.powerKw, min_power, max_power)
  );
}

function isWithin(value: number | null, least: number | undefined, most: number | undefined): boolean {
  if (least === undefined && most === undefined) return true;
  if (value === null) return false;
  return value >= (least ?? value) && (most === undefined || value < most);
}

/** Returns true when the local time and date allow an element to be active. */
function isOnClock(restrictions: TariffRestrictions, instant: number, clock: LocalClock): boolean {
  const { start_time, end_time, start_date, end_date, day_of_week } = restrictions;
  if ((start_time ?? end_time ?? start_date ?? end_date ?? day_of_week) === undefined) return true;
  const { date, minutes, weekday } = clock.at(instant);
  const day = daysOfWeek[weekday];
  if (day_of_week !== undefined && (day === undefined || !day_of_week.includes(day))) return false;
  if (start_date !== undefined && date < start_date) return false;
  if (end_date !== undefined && date >= end_date) return false;
  const start = minutesOf(start_time ?? midnight);
  // "To stop at end of the day use: 00:00."
  const end = minutesOf(end_time ?? midnight) || 24 * 60;
  return start < end ? minutes >= start && minutes < end : minutes >= start || minutes < end;
}

function minutesOf(time: string): number {
  const [hours, minutes] = time.split(':');
  return Number(hours) * 60 + Number(minutes);
}

function toMwh(kwh: number): number {
  return Math.round(kwh * 1_000_000);
}
