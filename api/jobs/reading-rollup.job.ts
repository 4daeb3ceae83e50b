import { isClickHouseDown } from '#shared/clickhouse/client.ts';
import { rollUpReadings } from '#shared/clickhouse/reading-rollup.queries.ts';
import { withRollupLock } from '#shared/postgres/charging/reading-rollup-lock.ts';
import type { ApiDeps } from '#api/services/deps.ts';

/** Days of chargers in one statement: about a second of work and 150,000 readings. */
const daysPerRun = 50;

/** Time in ms after which the lock is taken again: its transaction holds back the removal of dead rows. */
const maxLockMs = 5000;

/**
 * Rolls up the readings of days that changed, until all are or the process stops. One process does it at a time. While ClickHouse is
 * unreachable the days wait, and are read from the readings.
 */
export async function rollUpChangedDays(
  { sql, clickhouse }: Pick<ApiDeps, 'sql' | 'clickhouse'>,
  stopping = AbortSignal.any([]),
): Promise<void> {
  let days: number;
  try {
    do {
      days = 0;
      const until = performance.now() + maxLockMs;
      await withRollupLock(sql, async () => {
        do days = await rollUpReadings(clickhouse, daysPerRun);
        while (days > 0 && performance.now() < until && !stopping.aborted);
      });
    } while (days > 0 && !stopping.aborted);
  } catch (error) {
    if (!isClickHouseDown(error)) throw error;
  }
}
