/**
 * Sharding keys. Rows with the same sorting key of a table have the same value here, so that they are on one shard, where repeats
 * collapse.
 */
export const shardingColumns = {
  meter_samples: 'charger_id',
  reading_days: 'charger_id',
  reading_rollup: 'charger_id',
  ocpp_messages: 'charger_id',
  status_events: 'charger_id',
  session_facts: 'charger_id',
  session_rollup: 'network_id',
  charging_rollup: 'network_id',
  ocpi_exchanges: 'partner_id',
  webhook_deliveries: 'endpoint_id',
  load_minutes: 'site_id',
} as const;

export type ShardedTable = keyof typeof shardingColumns;

/** Cluster and database of its tables. */
export interface ClusterPlace {
  cluster: string;
  database: string;
}

const tables = Object.keys(shardingColumns) as ShardedTable[];
const tableNames = new RegExp(`\\b(${tables.join('|')})\\b`, 'g');

/** Returns the table on each shard that has the rows of a table. */
export function localTable(table: ShardedTable): string {
  return `${table}_local`;
}

/** Returns the clause that runs a definition on all servers of a cluster. */
export function onCluster(cluster: string): string {
  return `on cluster \`${cluster}\``;
}

/**
 * Returns the statements that do on a cluster what a repeatable statement of a migration does on a server. A table is replicated tables
 * on the shards and a `Distributed` table of its name in front of them. These can be repeated as well.
 * @throws Error for a statement of another form.
 */
export function clusterStatements(statement: string, place: ClusterPlace): string[] {
  const [, verb = '', table = ''] =
    /^(create table|create materialized view|alter table|insert into) (?:if not exists )?(\w+)/.exec(
      statement,
    ) ?? [];
  // Rows pass the tables in front, which divide them.
  if (verb === 'insert into') return [statement];
  if (verb === 'create materialized view') return [localView(statement, place)];
  if (!isSharded(table)) throw new Error(`the migration of ${table} has no form for a cluster`);
  const local =
    verb === 'create table' ? toReplicated(statement, table, place) : toAlterOnCluster(statement, place);
  return [local, toDistributed(table, place)];
}

const isSharded = (table: string): table is ShardedTable => Object.hasOwn(shardingColumns, table);

function toReplicated(statement: string, table: ShardedTable, { cluster, database }: ClusterPlace): string {
  const path = `/clickhouse/tables/${cluster}/{shard}/${database}/${table}`;
  return statement
    .replace(
      `create table if not exists ${table} `,
      `create table if not exists ${localTable(table)} ${onCluster(cluster)} `,
    )
    .replace(/\bengine = (\w*MergeTree)(?:\((.*)\))?/, (_, engine: string, version?: string) => {
      const parameters = [`'${path}'`, `'{replica}'`, ...(version === undefined ? [] : [version])];
      return `engine = Replicated${engine}(${parameters.join(', ')})`;
    });
}

function toAlterOnCluster(statement: string, { cluster }: ClusterPlace): string {
  return statement.replace(
    /^alter table (\w+)/,
    (_, table: ShardedTable) => `alter table ${localTable(table)} ${onCluster(cluster)}`,
  );
}

/** A view reads the rows that are inserted on its server, and writes to the same shard. */
function localView(statement: string, { cluster }: ClusterPlace): string {
  return statement
    .replaceAll(tableNames, '$1_local')
    .replace(/^create materialized view if not exists (\w+)/, `$& ${onCluster(cluster)}`);
}

/** Returns the definition of the table in front, with the present columns of the tables behind it. */
function toDistributed(table: ShardedTable, { cluster, database }: ClusterPlace): string {
  return `create or replace table ${table} ${onCluster(cluster)} as ${localTable(table)}
    engine = Distributed('${cluster}', '${database}', '${localTable(table)}', intHash64(${shardingColumns[table]}))`;
}
