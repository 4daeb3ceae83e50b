import type { ClickHouse } from './client.ts';
import { localTable, onCluster } from './cluster-tables.ts';

/** Sets the retention of the log of OCPP messages in days; alters the table only when it differs. */
export function keepMessagesFor(client: ClickHouse, days: number): Promise<void> {
  return keepFor(client, 'ocpp_messages', days);
}

/** The same of the status history. */
export function keepStatusEventsFor(client: ClickHouse, days: number): Promise<void> {
  return keepFor(client, 'status_events', days);
}

/** Rows go when `time` is `days` ago: a column that both tables have. */
async function keepFor(
  client: ClickHouse,
  table: 'ocpp_messages' | 'status_events',
  days: number,
): Promise<void> {
  const { cluster } = client;
  const stored = cluster === null ? table : localTable(table);
  const result = await client.query({
    query: `select create_table_query as definition from system.tables
      where database = currentDatabase() and name = {stored:String}`,
    query_params: { stored },
    format: 'JSONEachRow',
  });
  const [found] = await result.json<{ definition: string }>();
  if (found?.definition.includes(`toIntervalDay(${days})`) === true) return;
  await client.command({
    query: `alter table ${stored} ${cluster === null ? '' : onCluster(cluster)} modify ttl toDateTime(time) + toIntervalDay(${days})`,
    // Shorter than the time-out of a request: a server that is down follows when it is back.
    clickhouse_settings: { distributed_ddl_task_timeout: '20' },
  });
}
