import { sumFactBuckets } from '#shared/clickhouse/fact-analytics.ts';
import { sumSessions } from '#shared/clickhouse/session-analytics.ts';
import type { SessionSums } from '#shared/domain/charging/session-sums.ts';
import { bucketsOf, type CalendarPeriod } from '#shared/domain/kernel/calendar.ts';
import type { Interval } from '#shared/domain/kernel/intervals.ts';
import { hoursOf, type LocalHour } from '#shared/domain/kernel/local-hours.ts';
import type { Caller } from '#api/services/access/callers.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import { fromClickHouse } from '#api/services/kernel/from-clickhouse.ts';
import { wrongParameter } from '#api/services/kernel/validation.service.ts';
import { type Slice, type SliceQuery, sliceOf } from './analytics-slice.ts';
import { instantsOf, requireFewSums, wholeSecond } from './analytics-window.ts';
import { type BucketUse, totalUse } from './utilization.ts';

/** Length of a bucket. */
type SeriesPeriod = 'hour' | CalendarPeriod;

/** Sums of a bucket. */
export interface Bin extends Interval {
  sums: SessionSums[];
  /** Time charging and time that the connectors existed, until now. Null: sums of one tariff, which has no connectors. */
  use: BucketUse | null;
}

/** Sums of a slice over time. */
interface Series<Each extends Bin = Bin> {
  slice: Slice;
  bins: Each[];
}

/** Bins of one answer: a year of hours, and some. */
const maxBins = 10_000;
const longestMs: Record<SeriesPeriod, number> = {
  hour: maxBins * 3_600_000,
  day: maxBins * 86_400_000,
  week: Infinity,
  month: Infinity,
};

/**
 * Returns the sums of the sessions that ended in each period of a time zone.
 * @throws {DomainError} NETWORK_NOT_FOUND, VALIDATION_FAILED, STORE_UNAVAILABLE.
 */
export async function readSeries(
  deps: ServiceDeps,
  caller: Caller,
  query: SliceQuery & { period: SeriesPeriod },
): Promise<Series> {
  const slice = await sliceOf(deps, caller, query);
  const window = instantsOf(slice.window);
  requireBins(slice, window, query.period);
  const { timeZone } = slice;
  const buckets =
    query.period === 'hour' ? hoursOf(window, timeZone) : bucketsOf(window, query.period, timeZone);
  return { slice, bins: await binsOf(deps, slice, buckets) };
}

/**
 * Returns the sums of each local hour of a window.
 * @throws {DomainError} NETWORK_NOT_FOUND, VALIDATION_FAILED, STORE_UNAVAILABLE.
 */
export async function readHours(
  deps: ServiceDeps,
  caller: Caller,
  query: SliceQuery,
): Promise<Series<Bin & LocalHour>> {
  const slice = await sliceOf(deps, caller, query);
  const window = instantsOf(slice.window);
  requireBins(slice, window, 'hour');
  return { slice, bins: await binsOf(deps, slice, hoursOf(window, slice.timeZone)) };
}

function requireBins({ networkCount }: Slice, window: Interval, period: SeriesPeriod): void {
  if (window.to - window.from <= longestMs[period])
    return requireFewSums('from', networkCount, window, period);
  throw wrongParameter(
    'from',
    `makes more than ${maxBins} values: choose a longer period or a shorter window`,
  );
}

async function binsOf<Each extends Interval>(
  deps: ServiceDeps,
  slice: Slice,
  buckets: readonly Each[],
): Promise<(Each & Bin)[]> {
  const { networkIds, chargerIds, tariffId } = slice.filter;
  const isWhole = chargerIds === null && tariffId === null;
  const [sums, uses] = await Promise.all([
    fromClickHouse(
      isWhole
        ? sumSessions(deps.clickhouse, networkIds, buckets)
        : sumFactBuckets(deps.clickhouse, slice.filter, buckets),
    ),
    tariffId === null && networkIds.length > 0
      ? totalUse(deps, slice.filter, buckets, wholeSecond(Date.now()))
      : null,
  ]);
  const byBucket = Map.groupBy(sums, ({ bucket }) => bucket);
  return buckets.map((bucket, index) => ({
    ...bucket,
    sums: byBucket.get(index) ?? [],
    use: uses === null ? null : (uses[index] ?? { chargingMs: 0, connectorMs: 0 }),
  }));
}
