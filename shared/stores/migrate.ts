import { openClickHouse } from '#shared/clickhouse/client.ts';
import {
  createClickHouseDatabase,
  migrateClickHouse,
  migrationTimeoutMs,
} from '#shared/clickhouse/migrate.ts';
import { openPostgres } from '#shared/postgres/kernel/client.ts';
import { withMigrationLock } from '#shared/postgres/kernel/lock.ts';
import { migratePostgres } from '#shared/postgres/kernel/migrate.ts';

/**
 * Brings both stores to the newest version. Safe when many processes start at once: PostgreSQL's lock covers
 * ClickHouse, which has none.
 */
export async function migrateStores(urls: { databaseUrl: string; clickhouseUrl: string }): Promise<void> {
  const sql = openPostgres(urls.databaseUrl, { name: 'chargeway-migrate', connections: 2 });
  try {
    await migratePostgres(sql);
    await withMigrationLock(sql, async () => {
      await createClickHouseDatabase(urls.clickhouseUrl);
      const client = openClickHouse(urls.clickhouseUrl, {
        name: 'chargeway-migrate',
        connections: 2,
        timeoutMs: migrationTimeoutMs,
      });
      try {
        await migrateClickHouse(client);
      } finally {
        await client.close();
      }
    });
  } finally {
    await sql.end();
  }
}
