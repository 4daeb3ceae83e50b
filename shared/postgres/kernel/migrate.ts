import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Umzug, type UmzugStorage } from 'umzug';
import type { Sql, Transaction } from './client.ts';
import { installJobs } from './jobs.ts';

/** One lock for all who start at once; the number means nothing beyond being ours. */
const migrationLock = 7_140_900_001;

/**
 * Brings the database to the newest version: the numbered files of `migrations/`, each once, in order, all in
 * one transaction under a lock, so that many processes may start at the same time. The pool needs two connections.
 */
export async function migratePostgres(sql: Sql): Promise<void> {
  await sql.begin(async (transaction) => {
    await transaction`select pg_advisory_xact_lock(${migrationLock})`;
    await transaction`create table if not exists schema_migrations (name text primary key, applied_at timestamptz not null default now())`;
    await migrations(transaction).up();
    // On a connection of its own: it brings its own transactions.
    await installJobs(sql);
  });
}

function migrations(transaction: Transaction): Umzug {
  return new Umzug({
    logger: undefined,
    storage: storage(transaction),
    migrations: {
      glob: join(import.meta.dirname, '../migrations/*.sql'),
      resolve: ({ name, path }) => ({
        name,
        up: async () => {
          if (path === undefined) throw new Error(`the migration ${name} has no file`);
          await transaction.unsafe(await readFile(path, 'utf8'));
        },
      }),
    },
  });
}

function storage(transaction: Transaction): UmzugStorage {
  return {
    async executed() {
      const rows = await transaction<{ name: string }[]>`select name from schema_migrations order by name`;
      return rows.map((row) => row.name);
    },
    async logMigration({ name }) {
      await transaction`insert into schema_migrations (name) values (${name})`;
    },
    async unlogMigration({ name }) {
      await transaction`delete from schema_migrations where name = ${name}`;
    },
  };
}
