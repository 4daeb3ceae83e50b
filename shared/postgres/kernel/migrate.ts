import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Umzug, UmzugStorage } from 'umzug';
import type { Sql } from './client.ts';
import { installJobs } from './jobs.ts';
import { withLock } from './lock.ts';
import {
  applyMigration,
  type BlockedMigration,
  type MigrationConnections,
  type MigrationTiming,
  migrationTiming,
} from './migration-attempts.ts';

const directory = join(import.meta.dirname, '../migrations');

/** Reports and times of a migration. */
export interface MigrationOptions {
  /** Called for an attempt that got no lock, and while the build of an index waits. */
  onBlocked?: (blocked: BlockedMigration) => void;
  /** Called once when another process migrates. */
  onWait?: () => void;
  timing?: MigrationTiming;
}

/**
 * Brings the database to the newest version: the numbered files of `migrations/`, each once, in order, under a lock, so that many
 * processes may start at the same time. A process without anything to migrate does not wait for the one that migrates. The pool
 * needs two connections.
 */
export async function migratePostgres(
  sql: Sql,
  { onBlocked = () => undefined, onWait, timing = migrationTiming }: MigrationOptions = {},
): Promise<void> {
  if (!(await isMigrated(sql))) {
    const work = async (held: Sql): Promise<void> => {
      await held`create table if not exists schema_migrations (name text primary key, applied_at timestamptz not null default now())`;
      const migrations = await migrationsOf({ sql, held }, timing, onBlocked);
      await migrations.up();
    };
    await withLock(sql, 'postgres-migrations', work, onWait);
  }
  // pg-boss opens its own transactions.
  await withLock(sql, 'job-queue', () => installJobs(sql));
}

async function isMigrated(sql: Sql): Promise<boolean> {
  const [table] = await sql<{ isThere: boolean }[]>`
    select to_regclass('schema_migrations') is not null as "isThere"`;
  if (table?.isThere !== true) return false;
  const applied = new Set(await listApplied(sql));
  return (await readdir(directory)).every((name) => !name.endsWith('.sql') || applied.has(name));
}

async function migrationsOf(
  connections: MigrationConnections,
  timing: MigrationTiming,
  onBlocked: (blocked: BlockedMigration) => void,
): Promise<Umzug> {
  // The package also loads a parser of command lines, which a process with nothing to migrate does not need.
  const { Umzug: Migrations } = await import('umzug');
  return new Migrations({
    logger: undefined,
    storage: storage(connections.held),
    migrations: {
      glob: join(directory, '*.sql'),
      resolve: ({ name, path }) => ({
        name,
        up: async () => {
          if (path === undefined) throw new Error(`the migration ${name} has no file`);
          const text = await readFile(path, 'utf8');
          await applyMigration(connections, { name, text }, timing, onBlocked);
        },
      }),
    },
  });
}

async function listApplied(sql: Sql): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`select name from schema_migrations order by name`;
  return rows.map(({ name }) => name);
}

function storage(sql: Sql): UmzugStorage {
  return {
    executed: () => listApplied(sql),
    // `applyMigration` records a migration with what it does.
    async logMigration() {},
    async unlogMigration({ name }) {
      await sql`delete from schema_migrations where name = ${name}`;
    },
  };
}
