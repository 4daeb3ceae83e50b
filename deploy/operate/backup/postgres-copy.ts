import { randomBytes } from 'node:crypto';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openPostgres } from '#shared/postgres/kernel/client.ts';
import { copyInto, copyTree } from './copy-tree.ts';

/** Directories whose contents a server makes at its start. */
const emptied = [
  'pg_wal',
  'pg_replslot',
  'pg_dynshmem',
  'pg_notify',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
];
const control = 'global/pg_control';
const leftOut = new Set(['postmaster.pid', 'postmaster.opts', control]);

/**
 * Copies the data directory of the running PostgreSQL with the log that makes the copy consistent, as pg_basebackup does, which
 * the embedded package lacks. The copy is the state at the end of copying; a server recovers to it at its start.
 */
export async function copyPostgres(url: string, from: string, to: string): Promise<void> {
  const sql = openPostgres(url, { name: 'chargeway-backup', connections: 1 });
  // The server ends the backup, and drops the slot, when this connection closes.
  const session = await sql.reserve();
  try {
    const slot = `backup_${randomBytes(6).toString('hex')}`;
    await session`select pg_create_physical_replication_slot(${slot}, true, true)`;
    const [begin] = await session<{ file: string }[]>`
      select pg_walfile_name(pg_backup_start('chargeway', fast => true)) as file`;
    await copyTree(from, to, (path) => {
      const [top = '', ...below] = path.split('/');
      return (
        !leftOut.has(path) && !path.includes('pgsql_tmp') && !(below.length > 0 && emptied.includes(top))
      );
    });
    // Last, as the state of everything copied before.
    await copyInto(join(from, control), join(to, control));
    const [end] = await session<{ label: string; file: string }[]>`
      select labelfile as label, pg_walfile_name(lsn) as file from pg_backup_stop(wait_for_archive => false)`;
    if (begin === undefined || end === undefined) throw new Error('PostgreSQL reported no range of its log');
    await writeFile(join(to, 'backup_label'), end.label, { mode: 0o600 });
    await copyLog(join(from, 'pg_wal'), join(to, 'pg_wal'), begin.file, end.file);
  } finally {
    session.release();
    await sql.end();
  }
}

/** Copies the files of the write-ahead log of PostgreSQL from one name to another; names sort by time. */
async function copyLog(from: string, to: string, first: string, last: string): Promise<void> {
  await mkdir(to, { recursive: true, mode: 0o700 });
  const names = (await readdir(from)).filter((name) => /^[0-9A-F]{24}$/.test(name));
  for (const name of names.filter((name) => name >= first && name <= last)) {
    await copyInto(join(from, name), join(to, name));
  }
}
