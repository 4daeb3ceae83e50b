import { existsSync } from 'node:fs';
import { mkdir, realpath, rename } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { readRuntime } from '#deploy/start/runtime-file.ts';
import { loadConfig } from '#shared/config/config.ts';
import { runMain } from '#shared/config/run.ts';
import { openPostgres } from '#shared/postgres/kernel/client.ts';
import { readerPosition } from '#shared/postgres/kernel/outbox.statements.ts';
import { flushDirectory, segmentSuffix } from '#gateway/wal/segment-files.ts';
import { copyClickHouse } from './clickhouse-copy.ts';
import { copyTree } from './copy-tree.ts';
import { requireEmbedded } from './embedded-only.ts';
import { flushTree } from './flush-tree.ts';
import { dataIn, writeManifest } from './manifest.ts';
import { copyPostgres } from './postgres-copy.ts';

/** Parts of `DATA_DIR` that are copied in their own way, or belong to the running processes. */
const leftOut = new Set(['postgres', 'clickhouse', 'wal', 'runtime.json']);

/**
 * `npm run backup -- DIRECTORY`: copies `DATA_DIR` of a running `npm start`. The order makes the parts agree after a restore
 * (docs/adr/0077-backup.md): the write-ahead log of readings before ClickHouse, and ClickHouse before PostgreSQL.
 */
async function main(): Promise<void> {
  const config = loadConfig();
  requireEmbedded(config);
  const [directory] = process.argv.slice(3);
  if (directory === undefined) throw new Error('Name a new directory: npm run backup -- DIRECTORY');
  const { dataDir } = config;
  const target = resolve(directory);
  if (existsSync(target)) throw new Error(`${target} exists. A backup needs a new directory`);
  if (await isWithin(target, dataDir))
    throw new Error(`${target} is in DATA_DIR, which is copied: name a directory outside`);
  const runtime = readRuntime(dataDir);
  if (runtime === null) {
    throw new Error(`No system runs on ${dataDir}. Copy that directory itself, or start the system`);
  }
  const createdAt = new Date().toISOString();
  const unfinished = `${target}.unfinished`;
  if (existsSync(unfinished))
    throw new Error(`${unfinished} is left from a backup that was stopped: remove it`);
  await mkdir(unfinished, { mode: 0o700 });
  const data = dataIn(unfinished);
  await copyTree(
    join(dataDir, 'wal'),
    join(data, 'wal'),
    (path, isDirectory) => isDirectory || path.includes(segmentSuffix),
  );
  const factsPosition = await positionOfFacts(runtime.databaseUrl);
  await copyClickHouse(runtime.clickhouseUrl, join(dataDir, 'clickhouse'), join(data, 'clickhouse'));
  await copyPostgres(runtime.databaseUrl, join(dataDir, 'postgres'), join(data, 'postgres'));
  // Files that rows of PostgreSQL name are stored before their rows.
  await copyTree(dataDir, data, (path) => !leftOut.has(path) && !path.endsWith('.lock'));
  await writeManifest(unfinished, { version: 1, createdAt, factsPosition });
  await flushTree(unfinished);
  await rename(unfinished, target);
  await flushDirectory(dirname(target));
  console.log(`The backup is in ${target}. It holds keys and passwords: keep it as safe as ${dataDir}.`);
}

/** Returns true for the directory itself and everything below it, by real paths. */
async function isWithin(path: string, directory: string): Promise<boolean> {
  const real = join(await realpath(dirname(path)), basename(path));
  const way = relative(await realpath(directory), real);
  return way === '' || way.split(sep)[0] !== '..';
}

async function positionOfFacts(databaseUrl: string): Promise<string> {
  const sql = openPostgres(databaseUrl, { name: 'chargeway-backup', connections: 1 });
  try {
    return String(await readerPosition(sql, 'facts'));
  } finally {
    await sql.end();
  }
}

await runMain(main);
