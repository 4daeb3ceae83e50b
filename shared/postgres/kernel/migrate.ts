import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Umzug, type UmzugStorage } from 'umzug';
import { isLockConflict, type Sql } from './client.ts';
import { installJobs } from './jobs.ts';

/** One lock for all who start at once; the number means nothing beyond being ours. */
const migrationLock = 7_140_900_001;

/** Time for which a migration waits for a lock: what comes after it waits as well. */
const lockTimeoutMs = 3000;
/** A migration that gets no lock is repeated, for about five minutes. */
const maxAttempts = 60;
const retryMs = 2000;

/**
 * Brings the database to the newest version: the numbered files of `migrations/`, each once, in order, under a lock, so that many
 * processes may start at the same time. Each file is a transaction, so that its locks end with it while the previous version runs.
 * The pool needs two connections.
 */
export async function migratePostgres(sql: Sql): Promise<void> {
  await sql.begin(async (lock) => {
    await lock`select pg_advisory_xact_lock(${migrationLock})`;
    await sql`create table if not exists schema_migrations (name text primary key, applied_at timestamptz not null default now())`;
    await migrations(sql).up();
    // On a connection of its own: it brings its own transactions.
    await installJobs(sql);
  });
}

function migrations(sql: Sql): Umzug {
  return new Umzug({
    logger: undefined,
    storage: storage(sql),
    migrations: {
      glob: join(import.meta.dirname, '../migrations/*.sql'),
      resolve: ({ name, path }) => ({
        name,
        up: async () => {
          if (path === undefined) throw new Error(`the migration ${name} has no file`);
          await apply(sql, name, await readFile(path, 'utf8'));
        },
      }),
    },
  });
}

/** Runs a migration and records it in the same transaction; again while others hold its locks. */
async function apply(sql: Sql, name: string, statements: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await sql.begin(async (transaction) => {
        await transaction`select set_config('lock_timeout', ${String(lockTimeoutMs)}, true)`;
        await transaction.unsafe(statements);
        await transaction`insert into schema_migrations (name) values (${name})`;
      });
      return;
    } catch (error) {
      if (attempt === maxAttempts || !isLockConflict(error)) throw error;
      await wait(retryMs);
    }
  }
}

function storage(sql: Sql): UmzugStorage {
  return {
    async executed() {
      const rows = await sql<{ name: string }[]>`select name from schema_migrations order by name`;
      return rows.map((row) => row.name);
    },
    // `apply` records a migration with what it does.
    async logMigration() {},
    async unlogMigration({ name }) {
      await sql`delete from schema_migrations where name = ${name}`;
    },
  };
}
