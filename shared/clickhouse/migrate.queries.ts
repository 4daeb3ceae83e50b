import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ClickHouseSettings } from '@clickhouse/client';
import { parseClickHouseUrl, withoutDatabase } from '#shared/domain/kernel/clickhouse-address.ts';
import { MigrationError } from '#shared/domain/kernel/migration-error.ts';
import { type ClickHouse, openClickHouse } from './client.ts';
import { type ClusterPlace, clusterStatements, onCluster } from './cluster-tables.ts';

const directory = join(import.meta.dirname, 'migrations');

/** The table in front of replicas is made from them once all of them have a changed column. A slow server has three minutes. */
const settings: ClickHouseSettings = { alter_sync: '2', distributed_ddl_task_timeout: '180' };

/** Request time-out in ms of a client that migrates: longer than a cluster waits for its servers. */
export const migrationTimeoutMs = 200_000;

/**
 * Brings the database to the newest version: the numbered files of `migrations/` (one statement each), in
 * order. ClickHouse has no transactions around tables: the caller holds the lock (see shared/stores). On a cluster all
 * servers have to be up, unless nothing is to be migrated.
 */
export async function migrateClickHouse(client: ClickHouse): Promise<void> {
  if (await isClickHouseMigrated(client)) return;
  const place =
    client.cluster === null ? null : { cluster: client.cluster, database: await databaseOf(client) };
  await createMigrationTable(client, place);
  for (const name of await listPending(client)) {
    await applyMigration(client, name, place).catch((error: unknown) => {
      throw new MigrationError(name, error);
    });
  }
}

/** Returns true when no migration is to be applied. */
export async function isClickHouseMigrated(client: ClickHouse): Promise<boolean> {
  return (await listPending(client)).length === 0;
}

/** @param place of the tables on a cluster; null: on one server. */
async function applyMigration(client: ClickHouse, name: string, place: ClusterPlace | null): Promise<void> {
  for (const query of migrationStatements(await readFile(join(directory, name), 'utf8'), place)) {
    await client.command({ query, clickhouse_settings: settings });
  }
  await client.insert({ table: 'schema_migrations', values: [{ name }], format: 'JSONEachRow' });
}

/**
 * Returns the statements of a migration in a form that can be repeated: ClickHouse can fail between a statement and the row that
 * records it.
 * @param place of the tables on a cluster; null: on one server.
 */
export function migrationStatements(migration: string, place: ClusterPlace | null): string[] {
  const statement = migration
    .replaceAll(/^\s*--.*\n/gm, '')
    .trim()
    .replace(/^create (table|materialized view) (?!if not exists)/, 'create $1 if not exists ')
    .replaceAll(/\badd (column|index) (?!if not exists)/g, 'add $1 if not exists ');
  return place === null ? [statement] : clusterStatements(statement, place);
}

/** Returns the names of the migrations that are not recorded, in order. */
async function listPending(client: ClickHouse): Promise<string[]> {
  const applied = new Set((await hasMigrationTable(client)) ? await listApplied(client) : []);
  const names = await readdir(directory);
  return names.filter((name) => name.endsWith('.sql') && !applied.has(name)).toSorted();
}

async function databaseOf(client: ClickHouse): Promise<string> {
  const result = await client.query({ query: 'select currentDatabase()', format: 'JSONCompactEachRow' });
  const [row] = await result.json<[string]>();
  return row?.[0] ?? '';
}

async function hasMigrationTable(client: ClickHouse): Promise<boolean> {
  const result = await client.query({
    query: 'exists table schema_migrations',
    format: 'JSONCompactEachRow',
  });
  const [row] = await result.json<[number]>();
  return row?.[0] === 1;
}

/** Creates the list of applied migrations. On a cluster every server has all of it, whatever its shard. */
async function createMigrationTable(client: ClickHouse, place: ClusterPlace | null): Promise<void> {
  const columns = '(name String, applied_at DateTime default now())';
  if (place === null) {
    await client.command({
      query: `create table if not exists schema_migrations ${columns} engine = MergeTree order by name`,
    });
    return;
  }
  const path = `/clickhouse/tables/${place.cluster}/${place.database}/schema_migrations`;
  await client.command({
    query: `create table if not exists schema_migrations ${onCluster(place.cluster)} ${columns}
      engine = ReplicatedMergeTree('${path}', '{shard}-{replica}') order by name`,
  });
  await client.command({ query: 'system sync replica schema_migrations' });
}

/** Makes sure that the database a URL names exists. Where it is missing, it is created on all servers of a cluster. */
export async function createClickHouseDatabase(url: string): Promise<void> {
  const address = parseClickHouseUrl(url);
  const name = address?.database ?? '';
  if (name === '' || name === 'default') return;
  const client = openClickHouse(withoutDatabase(url), {
    name: 'chargeway-migrate',
    connections: 1,
    timeoutMs: migrationTimeoutMs,
  });
  const where = client.cluster === null ? '' : onCluster(client.cluster);
  try {
    if (await hasDatabase(client, name)) return;
    await client.command({
      query: `create database if not exists {name:Identifier} ${where}`,
      query_params: { name },
      clickhouse_settings: settings,
    });
  } finally {
    await client.close();
  }
}

async function hasDatabase(client: ClickHouse, name: string): Promise<boolean> {
  const result = await client.query({
    query: 'select name from system.databases where name = {name:String}',
    query_params: { name },
    format: 'JSONEachRow',
  });
  return (await result.json()).length > 0;
}

async function listApplied(client: ClickHouse): Promise<string[]> {
  const result = await client.query({
    query: 'select distinct name from schema_migrations',
    format: 'JSONEachRow',
  });
  const rows = await result.json<{ name: string }>();
  return rows.map((row) => row.name);
}
