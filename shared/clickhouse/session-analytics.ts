import { setImmediate as nextTurn } from 'node:timers/promises';
import { slotMs } from '#shared/domain/kernel/calendar.ts';
import { indexAt, type Interval, union } from '#shared/domain/kernel/intervals.ts';
import { batchLoader } from '#shared/domain/kernel/loader.ts';
import type { SessionSums } from '#shared/domain/charging/session-sums.ts';
import { type ClickHouse, isClickHouseDown } from './client.ts';
import { analyticsSettings, startOf, within } from './slots.ts';

/** The sessions of a network in one currency that ended in a time that no bucket's end lies in. */
type PartSum = Omit<SessionSums, 'bucket'> & {
  /** Start of that time or, where only its slots are summed, of the first slot; ms since 1970. */
  start: number;
};

/**
 * Columns by which both tables are grouped, with distinct names: an alias hides the column of its name everywhere in a
 * query.
 */
const facts = `1 as counted, if(cost_incl_vat_minor is null, 0, 1) as priced, duration_ms as duration,
  energy_milli_wh as energy, ifNull(cost_excl_vat_minor, 0) as excl_vat, ifNull(cost_incl_vat_minor, 0) as incl_vat`;
const rollup = `sessions as counted, priced_sessions as priced, duration_ms as duration, energy_milli_wh as energy,
  cost_excl_vat_minor as excl_vat, cost_incl_vat_minor as incl_vat`;

/**
 * Sums the sessions by network, currency and bucket; buckets without sessions are left out. `buckets` follow one another
 * without gaps; all but the outer ends lie on quarters of an hour. What is asked of the same networks while others are read,
 * of any window, is read together next: dashboards come in crowds, each with a now of its own.
 */
export async function sumSessions(
  client: ClickHouse,
  networkIds: readonly number[],
  buckets: readonly Interval[],
): Promise<SessionSums[]> {
  if (buckets.length === 0 || networkIds.length === 0) return [];
  return (await sumBatch(client, { networkIds, buckets })) ?? [];
}

interface Wanted {
  networkIds: readonly number[];
  buckets: readonly Interval[];
}

const sumBatch = batchLoader({
  maxKeys: 64,
  maxReads: 4,
  // A second one would take half of the crowd, and as long.
  maxOfKind: 1,
  kindOf: ({ networkIds }: Wanted) => networkIds.join(),
  isStoreFailure: isClickHouseDown,
  deadlineMs: 30_000,
  async read(client: ClickHouse, wanted: Wanted[]) {
    const parts = await readParts(client, wanted);
    const sums = new Map<Wanted, SessionSums[]>();
    const known = new Map<string, SessionSums[]>();
    for (const one of wanted) {
      const key = endsOf(one).join();
      const same = known.get(key);
      // Years of many networks take a while: others have their turn in between.
      if (same === undefined && parts.length > manyParts) await nextTurn();
      const found = same ?? sumsOf(one, parts);
      known.set(key, found);
      sums.set(one, found);
    }
    return sums;
  },
});

/** Number of rows that take about a millisecond to assign to their buckets. */
const manyParts = 1000;

/** So far from what is sought rows are read with it: they lie in the same granules, and few ranges are faster than many. */
const nearMs = 12 * 60 * 60 * 1000;

/**
 * The sums of all times between the ends of any buckets, in order. Whole quarters of an hour come from the rollup, those that an end
 * lies in from the facts.
 */
async function readParts(client: ClickHouse, wanted: readonly Wanted[]): Promise<PartSum[]> {
  const windows = union(wanted.map(windowOf));
  const ends = [...new Set(wanted.flatMap(endsOf))].toSorted((a, b) => a - b);
  const cut = [...new Set(ends.filter((end) => end % slotMs !== 0).map((end) => Math.floor(end / slotMs)))];
  const inNetworks = `network_id in (${wanted[0]?.networkIds.join()})`;
  const parts = [];
  if (cut.length > 0) {
    const slots = cut.map((slot) => ({ from: slot * slotMs, to: (slot + 1) * slotMs }));
    const near = union(slots.map(({ from, to }) => ({ from: from - nearMs, to: to + nearMs })));
    const starts = [...slots.map(({ from }) => from), ...ends.filter((end) => isWithin(slots, end))];
    parts.push(`
      select network_id, currency,
        roundDown(toUnixTimestamp64Milli(ended_at), cast('[${starts.join()}]', 'Array(Int64)')) as start, ${facts}
      from session_facts final
      where ${inNetworks} and ${within('ended_at', near)} and ${within('ended_at', windows)}
        and intDiv(toUnixTimestamp(ended_at), ${slotMs / 1000}) in (${cut.join()}) and is_counted`);
  }
  const touched = union(windows.map(({ from, to }) => ({ from: slotFrom(from), to: slotFrom(to) })));
  if (touched.length > 0) {
    const starts = [...new Set(ends.map((end) => slotFrom(end) / 1000))];
    const others =
      cut.length === 0 ? '' : `and intDiv(toUnixTimestamp(slot), ${slotMs / 1000}) not in (${cut.join()})`;
    parts.push(`
      select network_id, currency, toInt64(${startOf('toUnixTimestamp(slot)', starts)}) * 1000 as start, ${rollup}
      from session_rollup final where ${inNetworks} and ${within('slot', touched)} ${others}`);
  }
  const result = await client.query({
    query: `
      select network_id as networkId, currency, start, sum(counted) as sessions,
        sum(priced) as pricedSessions, sum(duration) as durationMs, sum(energy) as energyMilliWh,
        toString(sum(excl_vat)) as excl, toString(sum(incl_vat)) as incl
      from (${parts.join(' union all ')})
      group by network_id, currency, start
      order by start`,
    format: 'JSONEachRow',
    clickhouse_settings: analyticsSettings,
  });
  const rows = await result.json<Omit<PartSum, 'costExclVatMinor' | 'costInclVatMinor'> & Cost>();
  return rows.map(({ excl, incl, ...row }) => ({
    ...row,
    costExclVatMinor: BigInt(excl),
    costInclVatMinor: BigInt(incl),
  }));
}

/** As text: JSON has no bigint. */
interface Cost {
  excl: string;
  incl: string;
}

function windowOf({ buckets }: Wanted): Interval {
  return { from: buckets[0]?.from ?? 0, to: buckets.at(-1)?.to ?? 0 };
}

/** Starts of the buckets, and the end of the last one. */
function endsOf({ buckets }: Wanted): number[] {
  return [...buckets.map(({ from }) => from), buckets.at(-1)?.to ?? 0];
}

function isWithin(intervals: readonly Interval[], time: number): boolean {
  return time < (intervals[indexAt(intervals, time)]?.to ?? 0);
}

/** The first slot that does not begin before a time. */
function slotFrom(time: number): number {
  return Math.ceil(time / slotMs) * slotMs;
}

/** Returns the sums of the parts in each of the buckets. */
function sumsOf(wanted: Wanted, parts: readonly PartSum[]): SessionSums[] {
  const { from, to } = windowOf(wanted);
  const sums = new Map<string, SessionSums>();
  for (const part of parts.slice(firstFrom(parts, from))) {
    if (part.start >= to) break;
    // A network whose sessions all moved to another one has rows of zeros.
    if (part.sessions === 0) continue;
    const bucket = indexAt(wanted.buckets, part.start);
    const key = `${part.networkId} ${part.currency} ${bucket}`;
    const sum = sums.get(key);
    if (sum === undefined) {
      const { start: _, ...first } = part;
      sums.set(key, { ...first, bucket });
      continue;
    }
    sum.sessions += part.sessions;
    sum.pricedSessions += part.pricedSessions;
    sum.durationMs += part.durationMs;
    sum.energyMilliWh += part.energyMilliWh;
    sum.costExclVatMinor += part.costExclVatMinor;
    sum.costInclVatMinor += part.costInclVatMinor;
  }
  return [...sums.values()];
}

/** The index of the first part that does not begin before a time. */
function firstFrom(parts: readonly PartSum[], time: number): number {
  const index = parts.findIndex(({ start }) => start >= time);
  return index < 0 ? parts.length : index;
}
