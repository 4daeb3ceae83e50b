import { spawn } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openClickHouse } from '#shared/clickhouse/client.ts';
import { createClickHouseDatabase, migrateClickHouse } from '#shared/clickhouse/migrate.ts';
import { startEmbeddedClickHouse } from '#shared/embedded/clickhouse.ts';
import { startEmbeddedPostgres } from '#shared/embedded/postgres.ts';
import { openPostgres } from '#shared/postgres/kernel/client.ts';
import { migratePostgres } from '#shared/postgres/kernel/migrate.ts';
import { groupEach, groupTestFiles } from './groups.ts';
import { startTestRedis } from './redis.ts';
import { templateDatabase, withDatabase } from './stores.ts';

/**
 * `npm test`: starts a real PostgreSQL, ClickHouse engine and Redis for the run, makes the database that each
 * test clones, runs tap with the options given (as `--option=value`), and stops the servers. Files that are
 * named run in a process each; the whole suite runs in groups.
 */
async function main(tapArguments: string[]): Promise<number> {
  const directory = await mkdtemp(join(tmpdir(), 'chargeway-test-'));
  // PostgreSQL does not run as root: the account that it runs as must get through.
  await chmod(directory, 0o711);
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
    // tap builds its class for the plugins of .taprc on the first run after an install, too late for that run.
    // Not every time: it would be missing for a moment, and for good when two runs build at once.
    if (!(await isTapBuilt())) await runTap(['build'], {});
    const options = tapArguments.filter((argument) => argument.startsWith('-'));
    const files = tapArguments.filter((argument) => !argument.startsWith('-'));
    const groups = files.length === 0 ? await groupTestFiles() : await groupEach(files);
    return await runTap([...options, ...groups], {
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

/** Whether tap's class is the one for .taprc: without the plugin that it leaves out. */
async function isTapBuilt(): Promise<boolean> {
  const built = new URL('../../node_modules/@tapjs/test/test-built/src/index.ts', import.meta.url);
  const source = await readFile(built, 'utf8').catch(() => '@tapjs/typescript');
  return !source.includes('@tapjs/typescript');
}

function runTap(tapArguments: string[], servers: Record<string, string>): Promise<number> {
  const tap = spawn('tap', tapArguments, { stdio: 'inherit', env: { ...process.env, ...servers } });
  return new Promise((resolve, reject) => {
    tap.once('error', reject);
    tap.once('exit', (code) => resolve(code ?? 1));
  });
}

process.exitCode = await main(process.argv.slice(3));
