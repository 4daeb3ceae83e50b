import type { ClickHouse } from '#shared/clickhouse/client.ts';
import { type PointOptions, readMeterPoints } from '#shared/clickhouse/meter-points.ts';
import { readMeterFrames } from '#shared/postgres/charging/meter-frames.ts';
import type { Queryable } from '#shared/postgres/kernel/client.ts';
import { usageReadings } from '#shared/pricing/readings.ts';
import type { UsageReading } from '#shared/pricing/usage.ts';

/**
 * Reads the readings that price sessions, by session uuid; a session without readings has none.
 * @throws when ClickHouse is unavailable (`isClickHouseDown`).
 */
export async function readUsage(
  { sql, clickhouse }: { sql: Queryable; clickhouse: ClickHouse },
  sessions: readonly { chargerId: number; uuid: string }[],
  options: PointOptions,
): Promise<Map<string, UsageReading[]>> {
  const uuids = sessions.map(({ uuid }) => uuid);
  const [points, frames] = await Promise.all([
    readMeterPoints(clickhouse, sessions, options),
    readMeterFrames(sql, uuids),
  ]);
  const usage = new Map<string, UsageReading[]>();
  for (const uuid of uuids) {
    const frame = frames.get(uuid);
    usage.set(uuid, frame === undefined ? [] : usageReadings(points.get(uuid) ?? [], frame));
  }
  return usage;
}
