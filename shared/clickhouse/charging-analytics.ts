import { slotMs } from '#shared/domain/kernel/calendar.ts';
import type { Interval } from '#shared/domain/kernel/intervals.ts';
import type { ClickHouse } from './client.ts';
import { analyticsSettings, instant, within, startOf } from './slots.ts';

/** Total charging time of a network's connectors in one bucket. */
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
      from charging_rollup final where ${inNetworks} and ${within('slot', [whole])}`);
  }
  const rows = await read<Omit<ChargingSum, 'bucket'> & { start: number }>(
    client,
    `
      select network_id as networkId, ${startOf('at', buckets.map(seconds))} as start, sum(charging) as chargingMs
      from (${parts.join(' union all ')}) group by network_id, start`,
  );
  return indexed(rows, buckets);
}

/** Reads in progress, by their text. */
const underWay = new WeakMap<ClickHouse, Map<string, Promise<unknown[]>>>();

/** Reads rows. Concurrent identical reads share one query: many users open dashboards at the same time. */
function read<Row>(client: ClickHouse, query: string): Promise<Row[]> {
  const reads = underWay.get(client) ?? new Map<string, Promise<unknown[]>>();
  underWay.set(client, reads);
  const same = reads.get(query) as Promise<Row[]> | undefined;
  if (same !== undefined) return same;
  const rows = client
    .query({ query, format: 'JSONEachRow', clickhouse_settings: analyticsSettings })
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

function seconds({ from }: Interval): number {
  return Math.floor(from / 1000);
}

/** Rows with the index of their bucket in the place of its start. */
function indexed<Row extends { start: number }>(rows: Row[], buckets: readonly Interval[]) {
  const indexes = new Map(buckets.map((bucket, index) => [seconds(bucket), index]));
  return rows.map(({ start, ...row }) => ({ ...row, bucket: indexes.get(start) ?? 0 }));
}
