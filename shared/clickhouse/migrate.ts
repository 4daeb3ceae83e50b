import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Umzug, type UmzugStorage } from 'umzug';
import { type ClickHouse, openClickHouse } from './client.ts';

/**
 * Brings the database to the newest version: the numbered files of `migrations/` (one statement each), in
 * order. ClickHouse has no transactions around tables: the caller holds the lock (see shared/stores).
 */
export async function migrateClickHouse(client: ClickHouse): Promise<void> {
  await client.command({
    query:
      'create table if not exists schema_migrations (name String, applied_at DateTime default now()) engine = MergeTree order by name',
  });
  const migrations = new Umzug({
    logger: undefined,
    storage: storage(client),
    migrations: {
      glob: join(import.meta.dirname, 'migrations/*.sql'),
      resolve: ({ name, path }) => ({
        name,
        up: async () => {
          if (path === undefined) throw new Error(`the migration ${name} has no file`);
          await client.command({ query: await readFile(path, 'utf8') });
        },
      }),
    },
  });
  await migrations.up();
}

/** Makes sure that the database a URL names exists. */
export async function createClickHouseDatabase(url: string): Promise<void> {
  const { pathname } = new URL(url);
  const name = decodeURIComponent(pathname.slice(1));
  if (name === '' || name === 'default') return;
  const server = new URL(url);
  server.pathname = '';
  const client = openClickHouse(server.href, { name: 'chargeway-migrate', connections: 1 });
  try {
    await client.command({
      query: 'create database if not exists {name:Identifier}',
      query_params: { name },
    });
  } finally {
    await client.close();
  }
}

function storage(client: ClickHouse): UmzugStorage {
  return {
    async executed() {
      const result = await client.query({
        query: 'select distinct name from schema_migrations order by name',
        format: 'JSONEachRow',
      });
      const rows = await result.json<{ name: string }>();
      return rows.map((row) => row.name);
    },
    async logMigration({ name }) {
      await client.insert({ table: 'schema_migrations', values: [{ name }], format: 'JSONEachRow' });
    },
    async unlogMigration({ name }) {
      await client.command({
        query: 'delete from schema_migrations where name = {name:String}',
        query_params: { name },
      });
    },
  };
}
