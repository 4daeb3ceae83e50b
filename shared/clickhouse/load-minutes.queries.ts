import type { LoadMinute } from '#shared/domain/load/load-minutes.ts';
import type { ClickHouse } from './client.ts';
import { insertLines, type LineTable } from './insert-lines.ts';

const table: LineTable = {
  name: 'load_minutes',
  columns: [
    'network_id',
    'site_id',
    'circuit',
    'phase',
    'time',
    'samples',
    'limit_a',
    'other_sum_a',
    'load_sum_a',
    'load_max_a',
    'bound_max_a',
  ],
};

/** Site of a row. */
interface MinuteSite {
  id: number;
  networkId: number;
}

/** Writes minutes of any number of sites in one insert. */
export async function insertLoadMinutes(
  client: ClickHouse,
  minutes: readonly { site: MinuteSite; minute: LoadMinute }[],
): Promise<void> {
  const lines = minutes.map(({ site, minute }) =>
    JSON.stringify([
      site.networkId,
      site.id,
      minute.circuitId,
      minute.phase,
      Math.floor(minute.at / 1000),
      minute.samples,
      minute.limitAmps,
      minute.otherSum,
      minute.loadSum,
      minute.loadMax,
      minute.boundMax,
    ]),
  );
  if (lines.length > 0) await insertLines(client, table, [Buffer.from(lines.join('\n'))]);
}

/** Load of a phase of a circuit during a stretch of time. Currents are in ampere. */
export interface LoadPoint {
  /** 0 to 2: L1 to L3. */
  phase: number;
  /** Start in ms since 1970. */
  atMs: number;
  /** Lowest limit. */
  limitAmps: number;
  /** Means. */
  otherAmps: number;
  loadAmps: number;
  /** Highest load, and the highest that was possible. */
  maxLoadAmps: number;
  maxBoundAmps: number;
}

/** Returns the loads of a circuit in stretches of `everySeconds`, by phase and time; `to` is exclusive. */
export async function readLoadHistory(
  client: ClickHouse,
  site: MinuteSite,
  { circuitId, from, to, everySeconds }: { circuitId: string; from: Date; to: Date; everySeconds: number },
): Promise<LoadPoint[]> {
  const result = await client.query({
    query: `
      select phase, toFloat64(toUnixTimestamp(stretch)) * 1000 as atMs, min(limit_a) as limitAmps,
        sum(other_sum_a) / sum(samples) as otherAmps, sum(load_sum_a) / sum(samples) as loadAmps,
        max(load_max_a) as maxLoadAmps, max(bound_max_a) as maxBoundAmps
      from load_minutes
      where site_id = {siteId:UInt32} and network_id = {networkId:UInt32} and circuit = {circuitId:String}
        and time >= toDateTime({from:UInt32}, 'UTC') and time < toDateTime({to:UInt32}, 'UTC')
      group by phase, toStartOfInterval(time, toIntervalSecond({everySeconds:UInt32})) as stretch
      order by phase, stretch`,
    query_params: {
      siteId: site.id,
      networkId: site.networkId,
      circuitId,
      from: Math.floor(from.getTime() / 1000),
      to: Math.ceil(to.getTime() / 1000),
      everySeconds,
    },
    format: 'JSONEachRow',
  });
  return result.json<LoadPoint>();
}
