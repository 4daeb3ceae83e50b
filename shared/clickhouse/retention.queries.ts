import type { ClickHouse } from './client.ts';
import { localTable, onCluster, type ShardedTable } from './cluster-tables.ts';
import { unrolledMonths } from './reading-rollup.queries.ts';

/** Logs whose parts are dropped by ClickHouse, once all of their rows are past the retention of the table. */
type Log = 'ocpp_messages' | 'status_events' | 'ocpi_exchanges' | 'webhook_deliveries';

/** Shorter than the time-out of a request: a server that is down follows when it is back. */
const ddlTimeoutSeconds = '20';

/**
 * Sets the retention of a log in days; null: indefinitely. Alters the table only when it differs. Rows are removed when their `time`,
 * a column that all logs have, is `days` ago.
 */
export async function keepLog(client: ClickHouse, log: Log, days: number | null): Promise<void> {
  const { cluster } = client;
  const stored = storedTable(client, log);
  const result = await client.query({
    query: `select create_table_query as definition from system.tables
      where database = currentDatabase() and name = {stored:String}`,
    query_params: { stored },
    format: 'JSONEachRow',
  });
  const [found] = await result.json<{ definition: string }>();
  const present = /toIntervalDay\((\d+)\)/.exec(found?.definition ?? '')?.[1] ?? null;
  if (present === (days === null ? null : String(days))) return;
  const change = days === null ? 'remove ttl' : `modify ttl toDateTime(time) + toIntervalDay(${days})`;
  await client.command({
    query: `alter table ${stored} ${cluster === null ? '' : onCluster(cluster)} ${change}`,
    clickhouse_settings: { distributed_ddl_task_timeout: ddlTimeoutSeconds },
  });
}

function storedTable({ cluster }: ClickHouse, table: ShardedTable): string {
  return cluster === null ? table : localTable(table);
}

/** Tables whose partitions are dropped here, with the length of a partition. */
const partitions = { meter_samples: 'month', reading_rollup: 'year', reading_days: 'year' } as const;

type PartitionedTable = keyof typeof partitions;

/**
 * Drops the months of readings whose last day is more than `days` ago, without reading them, except months with days that are not
 * rolled up yet. Returns the names of the partitions. Any number of processes can do it: a partition that is gone is dropped
 * without effect.
 */
export async function dropPastReadings(
  client: ClickHouse,
  days: number,
  now = Date.now(),
): Promise<string[]> {
  const past = await listPast(client, 'meter_samples', days, now);
  if (past.length === 0) return [];
  const needed = new Set(await unrolledMonths(client));
  return drop(
    client,
    'meter_samples',
    past.filter((month) => !needed.has(month)),
  );
}

/** Drops the years of quarter-hour readings in the same way, with the list of their days. */
export async function dropPastRollup(client: ClickHouse, days: number, now = Date.now()): Promise<string[]> {
  const dropped = new Set<string>();
  for (const table of ['reading_days', 'reading_rollup'] as const) {
    const past = await listPast(client, table, days, now);
    for (const year of await drop(client, table, past)) dropped.add(year);
  }
  return [...dropped].toSorted();
}

/** Returns the names of the partitions whose last day is more than `days` ago. */
async function listPast(
  client: ClickHouse,
  table: PartitionedTable,
  days: number,
  now: number,
): Promise<string[]> {
  const first = new Date(now - days * 24 * 60 * 60_000).toISOString();
  // The partition of that day is kept, since it has later days too.
  const kept = partitions[table] === 'month' ? first.slice(0, 7).replace('-', '') : first.slice(0, 4);
  return (await listPartitions(client, table)).filter((partition) => partition < kept);
}

async function drop(client: ClickHouse, table: PartitionedTable, names: string[]): Promise<string[]> {
  const { cluster } = client;
  for (const name of names) {
    await client.command({
      // The limit of the size protects from mistakes by hand.
      query: `alter table ${storedTable(client, table)} ${cluster === null ? '' : onCluster(cluster)}
        drop partition id '${name}' settings max_partition_size_to_drop = 0`,
      clickhouse_settings: {
        distributed_ddl_task_timeout: ddlTimeoutSeconds,
        // A server that is down does the same when it is back.
        distributed_ddl_output_mode: 'null_status_on_timeout',
      },
    });
  }
  return names;
}

/** Returns the names of the partitions with rows on any server, in order. */
async function listPartitions(client: ClickHouse, table: PartitionedTable): Promise<string[]> {
  const { cluster } = client;
  const parts = cluster === null ? 'system.parts' : `clusterAllReplicas('${cluster}', system.parts)`;
  const result = await client.query({
    query: `select distinct partition_id from ${parts}
      where active and table = {table:String} and database = (select currentDatabase())
      order by partition_id`,
    query_params: { table: storedTable(client, table) },
    // A server that is down drops the partition when it is back, as its replicas did.
    clickhouse_settings: { skip_unavailable_shards: 1 },
    format: 'JSONCompactEachRow',
  });
  return (await result.json<[string]>()).map(([partition]) => partition);
}
