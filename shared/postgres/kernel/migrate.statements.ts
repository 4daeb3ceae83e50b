import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MigrationError } from '#shared/domain/kernel/migration-error.ts';
import type { Sql } from './client.ts';
import { withLock } from './lock.ts';
import {
  applyMigration,
  type BlockedMigration,
  type MigrationTiming,
  migrationTiming,
} from './migration-attempts.ts';

const directory = join(import.meta.dirname, '../migrations');

/** Schema after the migrations that it lists; `npm run postgres:baseline` writes it. */
export const baselineFile = join(import.meta.dirname, '../baseline.sql');

/** Reports and times of a migration. */
interface MigrationOptions {
  /** Called for an attempt that got no lock, and while the build of an index waits. */
  onBlocked?: (blocked: BlockedMigration) => void;
  /** Called once when another process migrates. */
  onWait?: () => void;
  timing?: MigrationTiming;
}

/**
 * Brings the database to the newest version: the numbered files of `migrations/`, each once, in order, under a lock, so that many
 * processes may start at the same time. A new database begins with the baseline. A process without anything to migrate does not wait
 * for the one that migrates. The pool needs two connections.
 */
export async function migratePostgres(
  sql: Sql,
  { onBlocked = () => undefined, onWait, timing = migrationTiming }: MigrationOptions = {},
): Promise<void> {
  if ((await listPending(sql)).length > 0) {
    const work = async (held: Sql): Promise<void> => {
      await held`create table if not exists schema_migrations (name text primary key, applied_at timestamptz not null default now())`;
      if ((await listApplied(held)).length === 0) await naming('baseline.sql', applyBaseline(sql));
      for (const name of await listPending(held)) {
        const text = await readFile(join(directory, name), 'utf8');
        await naming(name, applyMigration({ sql, held }, { name, text }, timing, onBlocked));
      }
    };
    await withLock(sql, 'postgres-migrations', work, onWait);
  }
}

/** Makes the schema in one transaction and one round trip, and records the migrations that it contains. */
async function applyBaseline(sql: Sql): Promise<void> {
  const text = await readFile(baselineFile, 'utf8');
  await sql.begin((transaction) => transaction.unsafe(text));
}

/** @throws {MigrationError} when the migration fails. */
async function naming(migration: string, work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    throw new MigrationError(migration, error);
  }
}

/** Returns the names of the migrations that are not recorded, in order. */
async function listPending(sql: Sql): Promise<string[]> {
  const applied = new Set(await listApplied(sql));
  const names = await readdir(directory);
  return names.filter((name) => name.endsWith('.sql') && !applied.has(name)).toSorted();
}

async function listApplied(sql: Sql): Promise<string[]> {
  const [table] = await sql<{ isThere: boolean }[]>`
    select to_regclass('schema_migrations') is not null as "isThere"`;
  if (table?.isThere !== true) return [];
  const rows = await sql<{ name: string }[]>`select name from schema_migrations`;
  return rows.map(({ name }) => name);
}
