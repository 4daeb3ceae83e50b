import { randomBytes } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type ClickHouse, openClickHouse } from '#shared/clickhouse/client.ts';
import { copyTree } from './copy-tree.ts';

/**
 * Copies the data directory of the running ClickHouse. Every table is frozen first: hard links keep its parts as they are.
 * The engine refuses BACKUP, because its configuration has no directory for it.
 */
export async function copyClickHouse(url: string, from: string, to: string): Promise<void> {
  const clickhouse = openClickHouse(url, { name: 'chargeway-backup', connections: 1 });
  // Letters, digits and underscores only: others are escaped in the name of the directory.
  const name = `backup_${randomBytes(6).toString('hex')}`;
  const frozen = join(from, 'shadow', name);
  await removeFrozen(from);
  try {
    for (const table of await tablesWithParts(clickhouse)) {
      await clickhouse.command({ query: `alter table ${table} freeze with name '${name}'` });
    }
    // Definitions and links of tables; their parts, which are directories, come from the frozen state.
    await copyTree(from, to, (path, isDirectory) => !isDirectory || isDefinition(path));
    await copyTree(join(frozen, 'store'), join(to, 'store'));
  } finally {
    await rm(frozen, { recursive: true, force: true });
    await clickhouse.close();
  }
}

/** Removes what backups left that were stopped: it keeps parts on the disk. */
async function removeFrozen(from: string): Promise<void> {
  const shadow = join(from, 'shadow');
  const names = await readdir(shadow).catch(() => []);
  for (const name of names.filter((name) => name.startsWith('backup_')))
    await rm(join(shadow, name), { recursive: true, force: true });
}

/** Returns the tables in the order in which they are frozen: `reading_days`, which names what is rolled up, before the rollup. */
async function tablesWithParts(clickhouse: ClickHouse): Promise<string[]> {
  const result = await clickhouse.query({
    query: `select name from system.tables where database = currentDatabase() and engine like '%MergeTree'
      order by name`,
    format: 'JSONEachRow',
  });
  return (await result.json<{ name: string }>()).map(({ name }) => name);
}

/** `store/abc/uuid` is the directory of a table; its own directories are parts. */
function isDefinition(path: string): boolean {
  const [top = '', ...below] = path.split('/');
  return ['data', 'metadata', 'store'].includes(top) && (top !== 'store' || below.length <= 2);
}
