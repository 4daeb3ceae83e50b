import { slotMs } from '#shared/domain/calendar.ts';
import type { Interval } from '#shared/domain/intervals.ts';
import type { SessionSums } from '#shared/domain/session-sums.ts';
import type { ClickHouse } from './client.ts';

type SumRow = Omit<SessionSums, 'bucket' | 'costExclVatMinor' | 'costInclVatMinor'> & {
  /** Of the bucket, in seconds. */
  start: number;
  excl: string;
  incl: string;
};

/** What both tables are summed by. Names of their own: an alias hides the column of its name everywhere in a query. */
const facts = `1 as counted, if(cost_incl_vat_minor is null, 0, 1) as priced, duration_ms as duration,
  energy_milli_wh as energy, ifNull(cost_excl_vat_minor, 0) as excl_vat, ifNull(cost_incl_vat_minor, 0) as incl_vat`;
const rollup = `sessions as counted, priced_sessions as priced, duration_ms as duration, energy_milli_wh as energy,
  cost_excl_vat_minor as excl_vat, cost_incl_vat_minor as incl_vat`;

/**
 * Sums the sessions by network, currency and bucket; buckets without sessions are left out. `buckets` follow one another
 * without gaps; all but the outer ends lie on quarters of an hour. Whole quarters come from the rollup, the rest of the
 * window from the facts.
 */
export async function sumSessions(
  client: ClickHouse,
  networkIds: readonly number[],
  buckets: readonly Interval[],
): Promise<SessionSums[]> {
  const window = windowOf(buckets);
  if (window === null || networkIds.length === 0) return [];
  const { whole, edges } = slotsOf(window);
  const inNetworks = `network_id in (${networkIds.join()})`;
  const ended = edges.map(({ from, to }) => `ended_at >= ${instant(from)} and ended_at < ${instant(to)}`);
  const parts = [];
  if (ended.length > 0) {
    parts.push(`
      select network_id, currency, toUnixTimestamp(ended_at) as at, ${facts}
      from session_facts final
      where ${inNetworks} and (${ended.join(' or ')}) and is_counted`);
  }
  if (whole !== null) {
    parts.push(`
      select network_id, currency, toUnixTimestamp(slot) as at, ${rollup}
      from session_rollup final where ${inNetworks} and ${within('slot', whole)}`);
  }
  const rows = await read<SumRow>(
    client,
    `
      select network_id as networkId, currency, ${startOf('at', buckets)} as start, sum(counted) as sessions,
        sum(priced) as pricedSessions, sum(duration) as durationMs, sum(energy) as energyMilliWh,
        toString(sum(excl_vat)) as excl, toString(sum(incl_vat)) as incl
      from (${parts.join(' union all ')})
      group by network_id, currency, start`,
  );
  // A network whose sessions all moved away has rows that say zero.
  return indexed(rows, buckets)
    .filter(({ sessions }) => sessions > 0)
    .map(({ excl, incl, ...row }) => ({
      ...row,
      costExclVatMinor: BigInt(excl),
      costInclVatMinor: BigInt(incl),
    }));
}

/** How long the connectors of a network charged in one bucket, all together. */
export interface ChargingSum {
  networkId: number;
  bucket: number;
  chargingMs: number;
}

/** Sums the time that connectors charged in completed sessions; what overlaps at a connector counts once. */
export async function sumCharging(
  client: ClickHouse,
  networkIds: readonly number[],
  buckets: readonly Interval[],
): Promise<ChargingSum[]> {
  const window = windowOf(buckets);
  if (window === null || networkIds.length === 0) return [];
  const { whole, edges } = slotsOf(window);
  const inNetworks = `network_id in (${networkIds.join()})`;
  // An edge lies within one slot, and so within one bucket.
  const parts = edges.map(
    (edge) => `
      select network_id, toUInt32(${seconds(edge)}) as at,
        toInt64(intervalLengthSum(greatest(toUnixTimestamp64Milli(since), toInt64(${edge.from})),
          least(toUnixTimestamp64Milli(until), toInt64(${edge.to})))) as charging
      from session_facts final array join charging_from as since, charging_to as until
      where ${inNetworks} and is_counted and ended_at > ${instant(edge.from)} and started_at < ${instant(edge.to)}
        and since < ${instant(edge.to)} and until > ${instant(edge.from)}
      group by network_id, connector_id`,
  );
  if (whole !== null) {
    parts.push(`
      select network_id, toUnixTimestamp(slot) as at, charging_ms as charging
      from charging_rollup final where ${inNetworks} and ${within('slot', whole)}`);
  }
  const rows = await read<Omit<ChargingSum, 'bucket'> & { start: number }>(
    client,
    `
      select network_id as networkId, ${startOf('at', buckets)} as start, sum(charging) as chargingMs
      from (${parts.join(' union all ')}) group by network_id, start`,
  );
  return indexed(rows, buckets);
}

/** The tables' versions of a row are all in one partition. Small reads side by side are faster on a thread each. */
const settings = { do_not_merge_across_partitions_select_final: 1, max_threads: 1 } as const;

/** The reads that are under way, by their text. */
const underWay = new WeakMap<ClickHouse, Map<string, Promise<unknown[]>>>();

/** Reads rows. Who asks for the same while it is being read waits for the same answer: dashboards come in crowds. */
function read<Row>(client: ClickHouse, query: string): Promise<Row[]> {
  const reads = underWay.get(client) ?? new Map<string, Promise<unknown[]>>();
  underWay.set(client, reads);
  const same = reads.get(query) as Promise<Row[]> | undefined;
  if (same !== undefined) return same;
  const rows = client
    .query({ query, format: 'JSONEachRow', clickhouse_settings: settings })
    .then((result) => result.json<Row>())
    .finally(() => reads.delete(query));
  reads.set(query, rows);
  return rows;
}

function windowOf(buckets: readonly Interval[]): Interval | null {
  const [first] = buckets;
  const last = buckets.at(-1);
  return first === undefined || last === undefined ? null : { from: first.from, to: last.to };
}

/** The whole slots of a window, and what is left of it before and after them. */
function slotsOf({ from, to }: Interval): { whole: Interval | null; edges: Interval[] } {
  const first = Math.ceil(from / slotMs) * slotMs;
  const end = Math.floor(to / slotMs) * slotMs;
  if (first > end) return { whole: null, edges: [{ from, to }] };
  const edges = [
    { from, to: first },
    { from: end, to },
  ].filter((edge) => edge.from < edge.to);
  return { whole: first < end ? { from: first, to: end } : null, edges };
}

/**
 * The start of the bucket that a column's time is in, all in seconds. Written out, since a parameter would not fit into a
 * URL, and as text, which is faster to read than hundreds of numbers.
 */
function startOf(column: string, buckets: readonly Interval[]): string {
  return `roundDown(${column}, cast('[${buckets.map(seconds).join()}]', 'Array(UInt32)'))`;
}

function seconds({ from }: Interval): number {
  return Math.floor(from / 1000);
}

/** Rows with the index of their bucket in the place of its start. */
function indexed<Row extends { start: number }>(rows: Row[], buckets: readonly Interval[]) {
  const indexes = new Map(buckets.map((bucket, index) => [seconds(bucket), index]));
  return rows.map(({ start, ...row }) => ({ ...row, bucket: indexes.get(start) ?? 0 }));
}

function within(column: string, { from, to }: Interval): string {
  return `${column} >= toDateTime(${from / 1000}, 'UTC') and ${column} < toDateTime(${to / 1000}, 'UTC')`;
}

/** A literal of ms since 1970. */
function instant(time: number): string {
  return `fromUnixTimestamp64Milli(${time}, 'UTC')`;
}
