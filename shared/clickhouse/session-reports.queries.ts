import type { Interval } from '#shared/domain/kernel/intervals.ts';
import type { ClickHouse } from './client.ts';
import { longStatement } from './slots.ts';

/** Grouping of sessions: the local day of their end, the location, or the driver. */
export type ReportKey = 'date' | 'location' | 'user';

/** Which sessions count: those that ended in the window, of one location or driver where given. */
interface ReportFilter {
  networkIds: readonly number[];
  /** The end is exclusive. */
  window: Interval;
  /** Starts of days, in ms since 1970; used only for sums by date. */
  days: readonly number[];
  locationId: number | null;
  userId: number | null;
}

/** The sessions of a network with the same key and currency, summed. */
export interface ReportSum {
  networkId: number;
  /** Start of a day in ms since 1970, or the id of a location or driver, with leading zeros; `0` for none. */
  key: string;
  currency: string;
  sessions: number;
  unpricedSessions: number;
  energyMilliWh: number;
  durationMs: number;
  idleMs: number;
  exclVatMinor: bigint;
  inclVatMinor: bigint;
}

/** Text of one length each, so that its order is that of the days or ids. */
function keyOf(by: ReportKey, days: readonly number[]): string {
  if (by !== 'date') return `leftPad(toString(${by}_id), 10, '0')`;
  const start = `roundDown(toUnixTimestamp64Milli(ended_at), cast('[${days.join()}]', 'Array(Int64)'))`;
  return `leftPad(toString(${start}), 15, '0')`;
}

type Row = [number, string, string, number, number, number, number, number, string, string];

/** The next `limit` sums after one of them, by network, key and currency. */
export async function listReportSums(
  client: ClickHouse,
  by: ReportKey,
  filter: ReportFilter,
  after: Pick<ReportSum, 'networkId' | 'key' | 'currency'> | null,
  limit: number,
): Promise<ReportSum[]> {
  const { networkIds, window, days, locationId, userId } = filter;
  if (networkIds.length === 0) return [];
  const result = await client.query({
    query: `
      select network_id, ${keyOf(by, days)} as key, currency, count(), countIf(cost_incl_vat_minor is null),
        sum(energy_milli_wh), sum(duration_ms), sum(idle_ms), toString(sum(ifNull(cost_excl_vat_minor, 0))),
        toString(sum(ifNull(cost_incl_vat_minor, 0)))
      from session_facts final
      where network_id in (${networkIds.join()}) and is_counted
        and ended_at >= fromUnixTimestamp64Milli({from: Int64}) and ended_at < fromUnixTimestamp64Milli({to: Int64})
        ${locationId === null ? '' : 'and location_id = {locationId: UInt32}'}
        ${userId === null ? '' : 'and user_id = {userId: UInt32}'}
        ${after === null ? '' : 'and (network_id, key, currency) > ({network: UInt32}, {key: String}, {currency: String})'}
      group by network_id, key, currency order by network_id, key, currency limit {limit: UInt32}`,
    query_params: {
      ...window,
      locationId,
      userId,
      limit,
      ...(after !== null && { network: after.networkId, key: after.key, currency: after.currency }),
    },
    format: 'JSONCompactEachRow',
    // A session's fact never leaves its partition: its place in the table is its end.
    clickhouse_settings: { do_not_merge_across_partitions_select_final: 1, ...longStatement },
  });
  return (await result.json<Row>()).map(toSum);
}

function toSum(row: Row): ReportSum {
  const [
    networkId,
    key,
    currency,
    sessions,
    unpricedSessions,
    energyMilliWh,
    durationMs,
    idleMs,
    excl,
    incl,
  ] = row;
  return {
    networkId,
    key,
    currency,
    sessions,
    unpricedSessions,
    energyMilliWh,
    durationMs,
    idleMs,
    exclVatMinor: BigInt(excl),
    inclVatMinor: BigInt(incl),
  };
}
