import type { ClickHouseHttp } from '#bench/system/clickhouse-http.ts';
import type { Usage } from '#bench/system/process-usage.ts';

/** Bare inserts of stored rows. */
interface InsertResult {
  rows: number;
  seconds: number;
  cpuSeconds: number;
}

/** Rows of one insert, several times what a batch of the product holds. */
const rowsPerInsert = 20_000;

/**
 * Inserts rows that the product stored into an empty copy of their table: encoded beforehand, one insert at a time, into
 * the same server. Returns null when nothing is stored.
 */
export async function insertBareRows(
  clickhouse: ClickHouseHttp,
  usage: () => Usage,
  inserts: number,
): Promise<InsertResult | null> {
  const stored = Number(await clickhouse.value('select count() from meter_samples'));
  const rows = Math.min(stored, rowsPerInsert);
  if (rows === 0) return null;
  await clickhouse.run('create table bench_meter_samples as meter_samples');
  const body = await clickhouse.bytes(`select * from meter_samples limit ${rows} format RowBinary`);
  const cpuBefore = usage().cpuSeconds;
  const startedAt = performance.now();
  for (let done = 0; done < inserts; done++) {
    await clickhouse.insert('insert into bench_meter_samples format RowBinary', body);
  }
  const seconds = (performance.now() - startedAt) / 1000;
  const cpuSeconds = usage().cpuSeconds - cpuBefore;
  await clickhouse.run('drop table bench_meter_samples');
  return { rows: rows * inserts, seconds, cpuSeconds };
}
