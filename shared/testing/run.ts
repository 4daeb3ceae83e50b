import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { openClickHouse } from '#shared/clickhouse/client.ts';
import { createClickHouseDatabase, migrateClickHouse } from '#shared/clickhouse/migrate.ts';
import { startEmbeddedClickHouse } from '#shared/embedded/clickhouse.ts';
import { startEmbeddedPostgres } from '#shared/embedded/postgres.ts';
import { openPostgres } from '#shared/postgres/kernel/client.ts';
import { migratePostgres } from '#shared/postgres/kernel/migrate.ts';
import { groupEach, groupTestFiles } from './groups.ts';
import { allPrograms, installHint, missingPackages } from './programs.ts';
import { startTestRedis } from './redis.ts';
import { createRunDirectory } from './run-directory.ts';
import { templateDatabase, withDatabase } from './stores.ts';
import { runTap } from './tap.ts';

/**
 * `npm test`: starts a real PostgreSQL, ClickHouse engine and Redis for the run, creates the database that each
 * test clones, runs tap with the options given (as `--option=value`), and stops the servers. Named files run in
 * a process each; the whole suite runs in groups.
 */
async function main(tapArguments: string[]): Promise<number> {
  const options = tapArguments.filter((argument) => argument.startsWith('-'));
  const files = tapArguments.filter((argument) => !argument.startsWith('-'));
  const missing = missingPackages(files.length === 0 ? allPrograms : ['redis-server']);
  if (missing.length > 0) {
    console.error(installHint(missing));
    return 1;
  }
  const directory = createRunDirectory();
  const stops: (() => Promise<unknown>)[] = [() => rm(directory, { recursive: true, force: true })];
  try {
    const [postgres, clickhouse, redis] = await Promise.all([
      startEmbeddedPostgres({ dataDir: join(directory, 'postgres'), isDurable: false }),
      startEmbeddedClickHouse({ dataDir: join(directory, 'clickhouse') }),
      startTestRedis(),
    ]);
    stops.unshift(
      () => postgres.stop(),
      () => clickhouse.stop(),
      () => redis.stop(),
    );
    await Promise.all([makePostgresTemplate(postgres.url), makeClickHouseTemplate(clickhouse.url)]);
    const groups = files.length === 0 ? await groupTestFiles() : await groupEach(files);
    return await runTap([...options, ...groups], {
      // Directories of tests are created beside the stores and removed with them.
      TMPDIR: directory,
      TEST_DATABASE_URL: postgres.url,
      TEST_CLICKHOUSE_URL: clickhouse.url,
      TEST_REDIS_URL: redis.url,
    });
  } finally {
    for (const stop of stops) await stop();
  }
}

async function makePostgresTemplate(databaseUrl: string): Promise<void> {
  const admin = openPostgres(databaseUrl, { name: 'chargeway-test-run', connections: 1 });
  await admin`create database ${admin(templateDatabase)}`;
  await admin.end();
  const sql = openPostgres(withDatabase(databaseUrl, templateDatabase), {
    name: 'chargeway-test-run',
    connections: 2,
  });
  await migratePostgres(sql);
  await sql.end();
}

async function makeClickHouseTemplate(serverUrl: string): Promise<void> {
  const url = withDatabase(serverUrl, templateDatabase);
  await createClickHouseDatabase(url);
  const clickhouse = openClickHouse(url, { name: 'chargeway-test-run', connections: 1 });
  await migrateClickHouse(clickhouse);
  await clickhouse.close();
}

process.exitCode = await main(process.argv.slice(3));
