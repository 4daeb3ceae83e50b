import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { openClickHouse } from '#shared/clickhouse/client.ts';
import { createClickHouseDatabase, migrateClickHouse } from '#shared/clickhouse/migrate.queries.ts';
import { keepLog } from '#shared/clickhouse/retention.queries.ts';
import { loadConfig } from '#shared/config/config.ts';
import { startEmbeddedClickHouse } from '#shared/embedded/clickhouse.ts';
import { startEmbeddedPostgres } from '#shared/embedded/postgres.ts';
import { openPostgres } from '#shared/postgres/kernel/client.ts';
import { migratePostgres } from '#shared/postgres/kernel/migrate.statements.ts';
import { startTestRedis } from '#shared/testing/redis.ts';
import { createRunDirectory } from '#shared/testing/run-directory.ts';
import { templateDatabase, withDatabase } from '#shared/testing/test-servers.ts';

/** Servers that all tests of a run share. */
export interface TestServers {
  /** Environment of the worker processes. */
  environment: Record<string, string>;
  stop(): Promise<void>;
}

/** Settings of the engine that save a fifth of its CPU time: compiling an expression costs more than the short queries of tests take. */
const forShortQueries = [
  '--compile_expressions=0',
  '--compile_aggregate_expressions=0',
  '--compile_sort_description=0',
  '--max_threads=1',
  '--max_insert_threads=1',
];

/** Starts a real PostgreSQL, ClickHouse engine and Redis, and creates the databases that tests clone. */
export async function startTestServers(): Promise<TestServers> {
  const directory = createRunDirectory();
  const stops: (() => Promise<unknown>)[] = [() => rm(directory, { recursive: true, force: true })];
  const stop = async (): Promise<void> => {
    for (const each of stops) await each();
  };
  try {
    const [postgres, clickhouse, redis] = await Promise.all([
      startEmbeddedPostgres({ dataDir: join(directory, 'postgres'), isDurable: false }),
      startEmbeddedClickHouse({ dataDir: join(directory, 'clickhouse'), engineArguments: forShortQueries }),
      startTestRedis(),
    ]);
    stops.unshift(
      () => postgres.stop(),
      () => clickhouse.stop(),
      () => redis.stop(),
    );
    await Promise.all([makePostgresTemplate(postgres.url), makeClickHouseTemplate(clickhouse.url)]);
    return {
      environment: {
        // Directories of tests are created next to the stores and removed with them.
        TMPDIR: directory,
        TEST_DATABASE_URL: postgres.url,
        TEST_CLICKHOUSE_URL: clickhouse.url,
        TEST_REDIS_URL: redis.url,
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function makePostgresTemplate(databaseUrl: string): Promise<void> {
  const admin = openPostgres(databaseUrl, { name: 'chargeway-test-run', connections: 1 });
  // Databases of tests are dropped before it pays.
  await admin`alter system set autovacuum = off`;
  // Nothing is read after a crash of this server. Each clone of the template ends with a checkpoint.
  await admin`alter system set fsync = off`;
  await admin`alter system set full_page_writes = off`;
  await admin`select pg_reload_conf()`;
  await admin`create database ${admin(templateDatabase)}`;
  await admin.end();
  const sql = openPostgres(withDatabase(databaseUrl, templateDatabase), {
    name: 'chargeway-test-run',
    connections: 2,
  });
  await migratePostgres(sql);
  await sql.unsafe(await readFile(new URL('../slots/reset.sql', import.meta.url), 'utf8'));
  await sql.end();
}

async function makeClickHouseTemplate(serverUrl: string): Promise<void> {
  const url = withDatabase(serverUrl, templateDatabase);
  await createClickHouseDatabase(url);
  const clickhouse = openClickHouse(url, { name: 'chargeway-test-run', connections: 1 });
  await migrateClickHouse(clickhouse);
  // As a gateway does at its start, which changes no table of a test then.
  await keepLog(clickhouse, 'status_events', loadConfig({}).retention.recordDays);
  await clickhouse.close();
}
