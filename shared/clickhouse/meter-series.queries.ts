import type { ClickHouse } from './client.ts';
import { type Measurand, measurandNames } from './reading-columns.ts';
import { rollupSlotsMs, unrolledDays } from './reading-rollup.queries.ts';

/** Stretch of time that is divided into buckets of `widthMs`, which begin at multiples of it. Times in ms since 1970. */
interface SeriesRange {
  from: number;
  /** Exclusive. */
  to: number;
  widthMs: number;
}

/** Charger whose readings are read: all of them in its network, or those of a session. */
export interface SeriesOrigin {
  chargerId: number;
  networkId: number;
  sessionId: string | null;
  /** Null: all connectors. */
  position: { evse: number; connector: number } | null;
}

/** Values of a measurand in a bucket. Those of one whose count is 0 mean nothing. */
interface Spread {
  least: number;
  most: number;
  total: number;
  count: number;
}

/** Register in Wh at the first and at the last reading, and its increase between them, decreases omitted. */
export interface RegisterSpread {
  first: number;
  last: number;
  increase: number;
}

/** Readings of a connector in a bucket. */
export interface SeriesBucket {
  evse: number;
  connector: number;
  /** Beginning in ms since 1970. */
  at: number;
  spreads: Record<Measurand, Spread>;
  /** Null: no register was reported. */
  register: RegisterSpread | null;
}

const settings = {
  do_not_merge_across_partitions_select_final: 1,
  // A read takes some ms; threads of its own would take them from others.
  max_threads: 1,
  optimize_read_in_order: 0,
  output_format_parallel_formatting: 0,
  max_query_size: String(1024 * 1024),
} as const;

/**
 * Reads the readings of a charger or session by bucket, in order of connector and time; buckets without readings are absent.
 * Buckets of whole slots of the rollup are read from it; days that changed since it was written, and narrower buckets, from the
 * readings.
 */
export async function readMeterSeries(
  client: ClickHouse,
  origin: SeriesOrigin,
  range: SeriesRange,
): Promise<SeriesBucket[]> {
  const slotMs = rollupSlotsMs.findLast((ms) => range.widthMs % ms === 0);
  if (origin.sessionId !== null || slotMs === undefined) return readReadings(client, origin, range, null);
  const from = Math.floor(range.from / slotMs) * slotMs;
  const whole = { ...range, from };
  const days = await unrolledDays(client, origin.chargerId, whole);
  const [rolled, recent] = await Promise.all([
    readRollup(client, origin, whole, slotMs, days),
    days.length === 0 ? [] : readReadings(client, origin, whole, days),
  ]);
  return mergeBuckets(rolled, recent);
}

const within = (time: string) =>
  `${time} >= fromUnixTimestamp64Milli({from:Int64}) and ${time} < fromUnixTimestamp64Milli({to:Int64})`;

const dates = (days: readonly string[]) => days.map((day) => `'${day}'`).join();

function ofOrigin({ position, sessionId }: SeriesOrigin): string {
  return [
    'charger_id = {chargerId:UInt32} and network_id = {networkId:UInt32}',
    ...(sessionId === null ? [] : ['session_id = {sessionId:UUID}']),
    ...(position === null ? [] : ['evse = {evse:UInt16} and connector = {connector:UInt16}']),
  ].join(' and ');
}

/** Reads slots of the rollup. Every day of it is in `reading_days`. */
function readRollup(
  client: ClickHouse,
  origin: SeriesOrigin,
  range: SeriesRange,
  slotMs: number,
  unrolled: readonly string[],
): Promise<SeriesBucket[]> {
  const spreads = measurandNames.map(
    (name) =>
      `minIf(${name}.least, ${name}.count > 0), max(${name}.most), sum(${name}.total), sum(${name}.count)`,
  );
  const query = `
    select evse, connector, intDiv(toUnixTimestamp(slot) * 1000, {width:Int64}) * {width:Int64} as bucket, ${spreads.join()},
      ${register('slot, energy_wh.first, energy_wh.last, energy_wh.increase', 'energy_wh.count > 0')}
    from reading_rollup final
    where ${ofOrigin(origin)} and slot_minutes = ${slotMs / 60_000} and ${within('slot')}
      ${unrolled.length === 0 ? '' : `and toDate(slot) not in (${dates(unrolled)})`}
    group by evse, connector, bucket order by evse, connector, bucket`;
  return read(client, query, origin, range);
}

/** Reads single readings, only of these days unless null. */
function readReadings(
  client: ClickHouse,
  origin: SeriesOrigin,
  range: SeriesRange,
  days: readonly string[] | null,
): Promise<SeriesBucket[]> {
  const spreads = measurandNames.map(
    (name) => `min(${name}_value), max(${name}_value), sum(${name}_value), count(${name}_value)`,
  );
  const query = `
    select evse, connector, intDiv(toUnixTimestamp64Milli(time), {width:Int64}) * {width:Int64} as bucket, ${spreads.join()},
      ${register('time, assumeNotNull(energy_wh), assumeNotNull(energy_wh), 0.', 'energy_wh is not null')}
    from (
      select evse, connector, time, energy_wh,
        ${measurandNames.map((name) => `${name} as ${name}_value`).join()}
      from meter_samples final
      prewhere ${ofOrigin(origin)} and ${within('time')}
        ${days === null ? '' : `and toDate(time) in (${dates(days)})`}
    )
    group by evse, connector, bucket order by evse, connector, bucket`;
  return read(client, query, origin, range);
}

/**
 * Returns the columns of the register, of rows with their time, first and last register and increase. A decrease is a new meter, or a
 * register that counts from 0 in each session.
 */
function register(row: string, isReported: string): string {
  return `
    (arraySort(groupArrayIf((${row}), ${isReported})) as registers)[1].2 as first_wh, registers[-1].3 as last_wh,
    arraySum(x -> x.4, registers)
      + arraySum((x, y) -> greatest(x.2 - y.3, 0), arrayPopFront(registers), arrayPopBack(registers)) as increase_wh,
    notEmpty(registers)`;
}

async function read(
  client: ClickHouse,
  query: string,
  { chargerId, networkId, sessionId, position }: SeriesOrigin,
  { from, to, widthMs }: SeriesRange,
): Promise<SeriesBucket[]> {
  const result = await client.query({
    query,
    query_params: { chargerId, networkId, sessionId, ...position, from, to, width: widthMs },
    clickhouse_settings: settings,
    format: 'JSONCompactEachRow',
  });
  return (await result.json<number[]>()).map(bucketOf);
}

function bucketOf(row: number[]): SeriesBucket {
  const [evse = 0, connector = 0, at = 0] = row;
  const spreads = {} as Record<Measurand, Spread>;
  let next = 3;
  for (const name of measurandNames) {
    const [least = 0, most = 0, total = 0, count = 0] = row.slice(next, next + 4);
    spreads[name] = { least, most, total, count };
    next += 4;
  }
  const [first = 0, last = 0, increase = 0, isReported = 0] = row.slice(next);
  return { evse, connector, at, spreads, register: isReported === 0 ? null : { first, last, increase } };
}

/** Returns the buckets of both, in order. Where both have one, the second has its later readings as a rule. */
function mergeBuckets(one: SeriesBucket[], other: SeriesBucket[]): SeriesBucket[] {
  if (other.length === 0) return one;
  const merged = new Map(one.map((bucket) => [keyOf(bucket), bucket]));
  for (const bucket of other) {
    const same = merged.get(keyOf(bucket));
    merged.set(keyOf(bucket), same === undefined ? bucket : mergedBucket(same, bucket));
  }
  return [...merged.values()].toSorted((a, b) => a.evse - b.evse || a.connector - b.connector || a.at - b.at);
}

const keyOf = ({ evse, connector, at }: SeriesBucket) => `${evse}/${connector}/${at}`;

function mergedBucket(one: SeriesBucket, other: SeriesBucket): SeriesBucket {
  const spreads = {} as Record<Measurand, Spread>;
  for (const name of measurandNames) spreads[name] = mergedSpread(one.spreads[name], other.spreads[name]);
  return { ...one, spreads, register: mergedRegister(one.register, other.register) };
}

function mergedSpread(one: Spread, other: Spread): Spread {
  if (one.count === 0) return other;
  if (other.count === 0) return one;
  return {
    least: Math.min(one.least, other.least),
    most: Math.max(one.most, other.most),
    total: one.total + other.total,
    count: one.count + other.count,
  };
}

function mergedRegister(one: RegisterSpread | null, other: RegisterSpread | null): RegisterSpread | null {
  if (one === null || other === null) return one ?? other;
  return {
    first: one.first,
    last: other.last,
    increase: one.increase + other.increase + Math.max(0, other.first - one.last),
  };
}
