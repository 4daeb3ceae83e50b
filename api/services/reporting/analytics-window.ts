import { type Bucket, bucketsOf, type CalendarPeriod } from '#shared/domain/kernel/calendar.ts';
import { DomainError } from '#shared/domain/kernel/errors.ts';
import type { Interval } from '#shared/domain/kernel/intervals.ts';
import type { AnalyzedNetwork } from '#shared/postgres/reporting/analytics.statements.ts';

/** Window of analytics; both times inclusive. */
export interface WindowQuery {
  from?: string | undefined;
  to?: string | undefined;
}

/** The window that is meant, both times inclusive. */
export interface AnalyticsWindow {
  from: Date;
  to: Date;
}

const dayMs = 24 * 60 * 60 * 1000;
const defaultMs = 30 * dayMs;

/** Earliest time that can be requested; there are no sessions before it. */
const earliest = Date.UTC(2000, 0, 1);
const latest = Date.UTC(2100, 0, 1);

/** All buckets of one answer, over all networks. */
const maxBuckets = 50_000;
const daysOf: Record<'hour' | CalendarPeriod, number> = { hour: 1 / 24, day: 1, week: 7, month: 28 };

/**
 * Returns the window of a query: by default the 30 days until now.
 * @throws {DomainError} VALIDATION_FAILED for one that ends before it begins or lies outside of 2000 to 2099.
 */
export function windowOf(query: WindowQuery): AnalyticsWindow {
  const to = query.to === undefined ? new Date(wholeSecond(Date.now())) : new Date(query.to);
  const from = query.from === undefined ? new Date(to.getTime() - defaultMs) : new Date(query.from);
  if (from > to) throw invalidWindow('from', 'must not be after to');
  if (from.getTime() < earliest) throw invalidWindow('from', 'must not be before 2000-01-01T00:00:00Z');
  if (to.getTime() >= latest) throw invalidWindow('to', 'must be before 2100-01-01T00:00:00Z');
  return { from, to };
}

/** Returns the second of an instant: concurrent callers then request the same, which is read once. */
export function wholeSecond(time: number): number {
  return Math.floor(time / 1000) * 1000;
}

/** The instants of a window: times are whole milliseconds, so the end is one later when it is exclusive. */
export function instantsOf({ from, to }: AnalyticsWindow): Interval {
  return { from: from.getTime(), to: to.getTime() + 1 };
}

/** The time from the beginning of a window to its end. */
export function timeOf({ from, to }: AnalyticsWindow): Interval {
  return { from: from.getTime(), to: to.getTime() };
}

/**
 * The buckets of each network in its own time zone; those of one zone are the same array.
 * @throws {DomainError} VALIDATION_FAILED when that is too much for one answer.
 */
export function bucketsByZone(
  networks: readonly AnalyzedNetwork[],
  window: Interval,
  period: CalendarPeriod,
): Map<string, Bucket[]> {
  requireFewSums('period', networks.length, window, period);
  const zones = new Set(networks.map(({ timeZone }) => timeZone));
  return new Map([...zones].map((timeZone) => [timeZone, bucketsOf(window, period, timeZone)]));
}

/**
 * Checks the number of sums, one for each network and period of a window.
 * @throws {DomainError} VALIDATION_FAILED when that is too much for one answer.
 */
export function requireFewSums(
  field: 'from' | 'period',
  networkCount: number,
  { from, to }: Interval,
  period: 'hour' | CalendarPeriod,
): void {
  const periods = (to - from) / dayMs / daysOf[period] + 2;
  if (networkCount * periods <= maxBuckets) return;
  throw invalidWindow(
    field,
    `makes more than ${maxBuckets} sums: request longer periods, a shorter window or one network`,
  );
}

function invalidWindow(field: string, message: string): DomainError {
  return new DomainError('VALIDATION_FAILED', `Invalid query: ${field} ${message}.`, {
    errors: [{ field, message }],
  });
}
