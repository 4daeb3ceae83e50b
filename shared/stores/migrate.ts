import { isClickHouseAway, openClickHouse, pingClickHouse } from '#shared/clickhouse/client.ts';
import {
  createClickHouseDatabase,
  isClickHouseMigrated,
  migrateClickHouse,
  migrationTimeoutMs,
} from '#shared/clickhouse/migrate.queries.ts';
import { DeadlinePassed, within } from '#shared/domain/kernel/deadline.ts';
import { MigrationError } from '#shared/domain/kernel/migration-error.ts';
import type { Logger } from '#shared/log/log.ts';
import { isPostgresDown, openPostgres, type Sql } from '#shared/postgres/kernel/client.ts';
import { withLock } from '#shared/postgres/kernel/lock.ts';
import { migratePostgres } from '#shared/postgres/kernel/migrate.statements.ts';
import { whenAvailable } from './when-available.ts';

interface Urls {
  databaseUrl: string;
  clickhouseUrl: string;
}

type Log = Pick<Logger, 'info' | 'warn'>;

/** Time in ms within which ClickHouse answers that it is there. */
const pingTimeoutMs = 5000;

/** Time in ms for which a process that serves waits for the migration of ClickHouse: a new one takes seconds. */
const migratedWithinMs = 30_000;

const name = 'chargeway-migrate';

/**
 * Brings both stores to the newest version, and waits for one that is down. Safe when many processes start at once:
 * PostgreSQL's lock covers ClickHouse, which has none.
 */
export async function migrateStores(urls: Urls, log: Log): Promise<void> {
  await migrateDatabase(urls.databaseUrl, log);
  await whenAvailable({ name: 'ClickHouse', isDown: isAway, log }, () => migrateAnalytics(urls, log));
}

/**
 * The same for a process that serves: it does not wait for a ClickHouse that is down or slow, which chargers and most requests
 * do not need. That is migrated in the background.
 */
export async function prepareStores(urls: Urls, log: Log): Promise<void> {
  await migrateDatabase(urls.databaseUrl, log);
  const attempt = migrateAnalytics(urls, log);
  try {
    await within(attempt, migratedWithinMs, 'the migration of ClickHouse');
  } catch (error) {
    if (!(error instanceof DeadlinePassed || isAway(error))) throw error;
    void attempt.catch(() => keepMigrating(urls, log));
  }
}

/** Tries until it succeeds: chargers are served meanwhile, whatever the cause. */
function keepMigrating(urls: Urls, log: Log): Promise<void> {
  const meanwhile = 'this process serves without it, and migrates it when it is back';
  const clickhouse = {
    name: 'ClickHouse',
    isDown: () => true,
    log,
    meanwhile,
    longestPauseMs: 30_000,
  } as const;
  return whenAvailable(clickhouse, () => migrateAnalytics(urls, log));
}

/** Returns the error of the store when a migration failed. */
function reasonOf(error: unknown): unknown {
  return error instanceof MigrationError ? error.cause : error;
}

const isAway = (error: unknown): boolean => isClickHouseAway(reasonOf(error));

const isDatabaseAway = (error: unknown): boolean => isPostgresDown(reasonOf(error));

async function migrateDatabase(url: string, log: Log): Promise<void> {
  await whenAvailable({ name: 'PostgreSQL', isDown: isDatabaseAway, log }, () =>
    withDatabase(url, (sql) =>
      migratePostgres(sql, {
        onBlocked: (blocked) => log.warn(blocked, 'a migration waits for locks of other sessions'),
        onWait: onWait(log),
      }),
    ),
  );
}

/** Brings a ClickHouse that no other process uses to the newest version. */
export async function migrateOwnClickHouse(url: string): Promise<void> {
  await withClickHouse(url, migrationTimeoutMs, migrateClickHouse);
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
