import { noSession } from '#shared/clickhouse/meter-samples.ts';
import { readingKey } from '../promises.ts';
import type { AuditedStores, Evidence } from '../evidence.ts';
import type { Finding } from './finding.ts';

interface StoredReading {
  chargerId: number;
  timeMs: number;
  energyWh: number;
  count: number;
  detached: number;
}

/** Compares acknowledged readings with ClickHouse. A reading that is stored without its session counts as lost. */
export async function auditReadings(
  { clickhouse }: AuditedStores,
  { chargers, promises }: Evidence,
): Promise<{ readings: Finding }> {
  const uids = new Map(chargers.map(({ id, uid }) => [id, uid]));
  const result = await clickhouse.query({
    query: `
      select charger_id as chargerId, toUnixTimestamp64Milli(time) as timeMs, energy_wh as energyWh,
        toUInt32(count()) as count, toUInt32(countIf(session_id = {noSession:UUID})) as detached
      from meter_samples final where context = 'Sample.Periodic' group by 1, 2, 3`,
    query_params: { noSession },
    format: 'JSONEachRow',
  });
  const rows = await result.json<StoredReading>();
  const stored = new Map(
    rows.map((row) => [readingKey(uids.get(row.chargerId) ?? '', row.timeMs, row.energyWh), row]),
  );
  const isKept = (key: string): boolean => stored.get(key)?.detached === 0;
  return {
    readings: {
      count: promises.readings.size,
      lost: [...promises.readings].filter((key) => !isKept(key)),
      doubled: [...stored].filter(([, { count }]) => count > 1).map(([key]) => key),
    },
  };
}
