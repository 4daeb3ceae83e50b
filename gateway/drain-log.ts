import { openClickHouse } from '#shared/clickhouse/client.ts';
import { loadConfig } from '#shared/config/config.ts';
import { requireStores } from '#shared/config/stores.ts';
import { runMain } from '#shared/config/run.ts';
import { createLogger } from '#shared/log/log.ts';
import { openPostgres } from '#shared/postgres/kernel/client.ts';
import { drainWriteAheadLogs } from './wal/drain.ts';

/** Time in ms that a store may take for one segment. */
const deadlineMs = 60_000;

/**
 * `npm run drain-log`: loads what the write-ahead log of a stopped gateway at `DATA_DIR` still holds. Afterwards its disk
 * holds no reading that the stores do not have. Ends with exit code 1 when a
 * store is unavailable (run it again then), or a segment was set aside, now or before.
 */
async function main(): Promise<void> {
  const config = loadConfig();
  const urls = requireStores(config);
  const log = createLogger('drain-log', config.logLevel);
  const clickhouse = openClickHouse(urls.clickhouseUrl, { name: 'chargeway-drain-log', connections: 1 });
  const sql = openPostgres(urls.databaseUrl, { name: 'chargeway-drain-log', connections: 1 });
  try {
    const { dataDir } = config;
    const drained = await drainWriteAheadLogs({ dataDir, deadlineMs, clickhouse, sql, log });
    if (drained.setAside.length > 0) {
      throw new Error(
        `These segments were set aside, and may hold the only copy of readings (docs/runbook.md): ${drained.setAside.join(', ')}`,
      );
    }
    log.info({ dataDir, segments: drained.segments, bytes: drained.bytes }, 'the write-ahead log is empty');
  } finally {
    await Promise.all([clickhouse.close(), sql.end({ timeout: 5 })]);
  }
}

await runMain(main);
