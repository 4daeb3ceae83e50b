import type { MeterPoint } from '#shared/domain/charging/meter-sample.ts';
import type { ClickHouse } from './client.ts';

/** More readings of one session are not read: one a second for two days. */
const maxPoints = 172_800;

/** Resolution at which a session's readings are read. */
export interface PointOptions {
  /** The last value of each such stretch; 1: every reading. */
  everyMs: number;
  /** True to read current too. */
  current: boolean;
}

/**
 * Reads the values that price sessions, in order of time, by session uuid, separately for each origin
 * (`register-origin.ts`). Sessions without readings are omitted.
 */
export async function readMeterPoints(
  client: ClickHouse,
  sessions: readonly { chargerId: number; uuid: string }[],
  { everyMs, current }: PointOptions,
): Promise<Map<string, MeterPoint[]>> {
  const result = await client.query({
    query: `
      select toString(session_id) as uuid, toUnixTimestamp64Milli(max(time)) as atMs, origin,
        argMax(energy_wh, time) as registerWh, sum(interval_wh) as intervalWh, argMax(power_w, time) as powerW,
        ${current ? 'argMax(current_sum_a, time)' : 'null'} as currentA
      from meter_samples final
      where charger_id in {chargerIds:Array(UInt32)} and session_id in {uuids:Array(UUID)}
      group by session_id, intDiv(toUnixTimestamp64Milli(time), {everyMs:UInt32}), origin
      order by session_id, atMs, origin
      limit ${maxPoints} by session_id`,
    query_params: {
      chargerIds: sessions.map(({ chargerId }) => chargerId),
      uuids: sessions.map(({ uuid }) => uuid),
      everyMs,
    },
    format: 'JSONEachRow',
  });
  const rows = await result.json<MeterPoint & { uuid: string }>();
  const points = new Map<string, MeterPoint[]>();
  for (const { uuid, ...point } of rows) {
    const ofSession = points.get(uuid);
    if (ofSession === undefined) points.set(uuid, [point]);
    else ofSession.push(point);
  }
  return points;
}
