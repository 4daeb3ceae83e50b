import { type ClusterPlace, clusterStatements } from './cluster-tables.ts';

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
