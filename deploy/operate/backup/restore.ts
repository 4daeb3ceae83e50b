import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rmdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { flushDirectory } from '#gateway/wal/segment-files.ts';
import { loadConfig } from '#shared/config/config.ts';
import { runMain } from '#shared/config/run.ts';
import { startEmbeddedPostgres } from '#shared/embedded/postgres.ts';
import { serverAccount } from '#shared/embedded/postgres/account.ts';
import { openPostgres } from '#shared/postgres/kernel/client.ts';
import { rewindReader } from '#shared/postgres/kernel/outbox.statements.ts';
import { copyTree, giveTree } from './copy-tree.ts';
import { requireEmbedded } from './embedded-only.ts';
import { flushTree } from './flush-tree.ts';
import { dataIn, readManifest } from './manifest.ts';

/**
 * `npm run restore -- DIRECTORY`: makes `DATA_DIR` from a backup. The directory gets its name when it is complete, so that no
 * system starts on a part of it.
 */
async function main(): Promise<void> {
  const config = loadConfig();
  requireEmbedded(config);
  const [directory] = process.argv.slice(3);
  if (directory === undefined) throw new Error('Name the backup: npm run restore -- DIRECTORY');
  const backup = resolve(directory);
  const { factsPosition } = await readManifest(backup);
  const dataDir = resolve(config.dataDir);
  if (existsSync(dataDir)) {
    if ((await readdir(dataDir)).length > 0) {
      throw new Error(`${dataDir} is not empty. Move it away, or set DATA_DIR to another directory`);
    }
    await rmdir(dataDir);
  }
  const unfinished = `${dataDir}.unfinished`;
  await mkdir(dirname(unfinished), { recursive: true });
  if (existsSync(unfinished))
    throw new Error(`${unfinished} is left from a restore that was stopped: remove it`);
  // As `npm start` makes it: the account of PostgreSQL must be able to enter.
  await mkdir(unfinished);
  await copyTree(dataIn(backup), unfinished);
  const postgres = join(unfinished, 'postgres');
  await giveTree(postgres, await serverAccount());
  await sendLateFacts(postgres, BigInt(factsPosition));
  await flushTree(unfinished);
  await rename(unfinished, dataDir);
  await flushDirectory(dirname(dataDir));
  console.log(`${dataDir} is restored. Start the system with npm start.`);
}

/** ClickHouse was copied before PostgreSQL: facts that were sent in between are missing there, and are sent again. */
async function sendLateFacts(postgres: string, position: bigint): Promise<void> {
  const server = await startEmbeddedPostgres({ dataDir: postgres });
  const sql = openPostgres(server.url, { name: 'chargeway-restore', connections: 1 });
  try {
    await rewindReader(sql, 'facts', position);
  } finally {
    await sql.end();
    await server.stop();
  }
}

await runMain(main);
