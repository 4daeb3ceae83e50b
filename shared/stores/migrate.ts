import { openClickHouse } from '#shared/clickhouse/client.ts';
import {
  createClickHouseDatabase,
  isClickHouseMigrated,
  migrateClickHouse,
  migrationTimeoutMs,
} from '#shared/clickhouse/migrate.ts';
import type { Logger } from '#shared/log/log.ts';
import { openPostgres, type Sql } from '#shared/postgres/kernel/client.ts';
import { withLock } from '#shared/postgres/kernel/lock.ts';
import { migratePostgres } from '#shared/postgres/kernel/migrate.ts';

/**
 * Brings both stores to the newest version. Safe when many processes start at once: PostgreSQL's lock covers
 * ClickHouse, which has none.
 */
export async function migrateStores(
  urls: { databaseUrl: string; clickhouseUrl: string },
  log: Pick<Logger, 'info' | 'warn'>,
): Promise<void> {
  const sql = openPostgres(urls.databaseUrl, { name: 'chargeway-migrate', connections: 2 });
  const onWait = (): void => log.info('another process migrates; this one starts after it');
  try {
    await migratePostgres(sql, {
      onBlocked: (blocked) => log.warn(blocked, 'a migration waits for locks of other sessions'),
      onWait,
    });
    await migrateClickHouseTables(urls.clickhouseUrl, sql, onWait);
  } finally {
    await sql.end();
  }
}

async function migrateClickHouseTables(url: string, sql: Sql, onWait: () => void): Promise<void> {
  await createClickHouseDatabase(url);
  const client = openClickHouse(url, {
    name: 'chargeway-migrate',
    connections: 2,
    timeoutMs: migrationTimeoutMs,
  });
  try {
    if (await isClickHouseMigrated(client)) return;
    await withLock(sql, 'clickhouse-migrations', () => migrateClickHouse(client), onWait);
  } finally {
    await client.close();
  }
}
