import { isClickHouseDown, openClickHouse, pingClickHouse } from '#shared/clickhouse/client.ts';
import {
  createClickHouseDatabase,
  isClickHouseMigrated,
  migrateClickHouse,
  migrationTimeoutMs,
} from '#shared/clickhouse/migrate.ts';
import type { Logger } from '#shared/log/log.ts';
import { isPostgresDown, openPostgres, type Sql } from '#shared/postgres/kernel/client.ts';
import { withLock } from '#shared/postgres/kernel/lock.ts';
import { migratePostgres } from '#shared/postgres/kernel/migrate.ts';
import { type Awaited, whenAvailable } from './when-available.ts';

interface Urls {
  databaseUrl: string;
  clickhouseUrl: string;
}

type Log = Pick<Logger, 'info' | 'warn' | 'error'>;

/** Time in ms within which ClickHouse answers that it is there. */
const pingTimeoutMs = 5000;

const name = 'chargeway-migrate';

/**
 * Brings both stores to the newest version, and waits for one that is down. Safe when many processes start at once:
 * PostgreSQL's lock covers ClickHouse, which has none.
 */
export async function migrateStores(urls: Urls, log: Log): Promise<void> {
  await migrateDatabase(urls.databaseUrl, log);
  await whenAvailable(clickhouse(log), () => migrateAnalytics(urls, log));
}

/**
 * The same for a process that serves: it does not wait for ClickHouse, which chargers and most requests do not need. While
 * ClickHouse is down, it is migrated as soon as it is back.
 */
export async function prepareStores(urls: Urls, log: Log): Promise<void> {
  await migrateDatabase(urls.databaseUrl, log);
  try {
    await migrateAnalytics(urls, log);
  } catch (error) {
    if (!isClickHouseDown(error)) throw error;
    whenAvailable(clickhouse(log), () => migrateAnalytics(urls, log)).catch((err: unknown) => {
      log.error({ err }, 'ClickHouse is not migrated: correct the cause, and start this process again');
    });
  }
}

function clickhouse(log: Log): Awaited {
  return { name: 'ClickHouse', isDown: isClickHouseDown, log };
}

async function migrateDatabase(url: string, log: Log): Promise<void> {
  await whenAvailable({ name: 'PostgreSQL', isDown: isPostgresDown, log }, () =>
    withDatabase(url, (sql) =>
      migratePostgres(sql, {
        onBlocked: (blocked) => log.warn(blocked, 'a migration waits for locks of other sessions'),
        onWait: onWait(log),
      }),
    ),
  );
}

async function migrateAnalytics({ databaseUrl, clickhouseUrl }: Urls, log: Log): Promise<void> {
  await withClickHouse(clickhouseUrl, pingTimeoutMs, pingClickHouse);
  await createClickHouseDatabase(clickhouseUrl);
  await withClickHouse(clickhouseUrl, migrationTimeoutMs, async (client) => {
    if (await isClickHouseMigrated(client)) return;
    await withDatabase(databaseUrl, (sql) =>
      withLock(sql, 'clickhouse-migrations', () => migrateClickHouse(client), onWait(log)),
    );
  });
}

function onWait(log: Log): () => void {
  return () => log.info('another process migrates; this one starts after it');
}

async function withDatabase(url: string, work: (sql: Sql) => Promise<void>): Promise<void> {
  const sql = openPostgres(url, { name, connections: 2 });
  try {
    await work(sql);
  } finally {
    await sql.end();
  }
}

async function withClickHouse(
  url: string,
  timeoutMs: number,
  work: (client: ReturnType<typeof openClickHouse>) => Promise<void>,
): Promise<void> {
  const client = openClickHouse(url, { name, connections: 2, timeoutMs });
  try {
    await work(client);
  } finally {
    await client.close();
  }
}
