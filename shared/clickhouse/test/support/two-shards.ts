import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Test } from 'tap';
import { type ClickHouse, openClickHouse } from '#shared/clickhouse/client.ts';
import { localTable, type ShardedTable, shardingColumns } from '#shared/clickhouse/cluster-tables.ts';
import { createClickHouseDatabase, migrateClickHouse } from '#shared/clickhouse/migrate.queries.ts';
import { withCluster } from '#shared/domain/kernel/clickhouse-address.ts';
import { startEmbeddedClickHouse } from '#shared/embedded/clickhouse.ts';
import { withDatabase } from '#shared/testing/test-servers.ts';

const cluster = 'two_shards';
const database = 'sharded';

const replica = '<replica><host>127.0.0.1</host><port>9000</port></replica>';
const shard = `<shard><internal_replication>true</internal_replication>${replica}</shard>`;
const configuration = `<clickhouse>
  <tcp_port>9000</tcp_port>
  <remote_servers><${cluster}>${shard}${shard}</${cluster}></remote_servers>
</clickhouse>`;

/** Rows that a query of one shard sees; all of them outside of a query of a cluster. */
const rowsOfShard = Object.entries(shardingColumns).map(([table, column]) => {
  const name = `${database}.${localTable(table as ShardedTable)}`;
  return `'${name}': 'shardNum() = 0 or intHash64(${column}) % 2 + 1 = shardNum()'`;
});

/**
 * Starts an engine with the same database on one server and on a cluster of two shards. The engine listens on no port of the native
 * protocol, so both shards are the engine itself: a filter gives each of them the rows that its sharding key assigns to it. Queries are
 * planned and merged as on two servers. Definitions run without `on cluster` and replication.
 */
export async function startTwoShards(
  t: Pick<Test, 'teardown'>,
): Promise<{ single: ClickHouse; sharded: ClickHouse; shardedUrl: string }> {
  const directory = mkdtempSync(join(tmpdir(), 'chargeway-test-shards-'));
  const configFile = join(directory, 'config.xml');
  writeFileSync(configFile, configuration);
  const server = await startEmbeddedClickHouse({
    dataDir: join(directory, 'clickhouse'),
    engineArguments: [`--config-file=${configFile}`, `--additional_table_filters={${rowsOfShard.join()}}`],
  });
  const singleUrl = withDatabase(server.url, 'single');
  await createClickHouseDatabase(singleUrl);
  const single = openClickHouse(singleUrl, { name: 'test', connections: 4 });
  await single.command({ query: `create database ${database}` });
  const shardedUrl = withCluster(withDatabase(server.url, database), cluster);
  const sharded = openClickHouse(shardedUrl, { name: 'test', connections: 4 });
  t.teardown(async () => {
    await Promise.all([single, sharded].map((client) => client.close()));
    await server.stop();
    rmSync(directory, { recursive: true, force: true });
  });
  await migrateClickHouse(single);
  await migrateClickHouse(withoutReplicas(sharded));
  return { single, sharded, shardedUrl };
}

/** Returns a client that runs the definitions of a cluster on this engine only. */
function withoutReplicas(client: ClickHouse): ClickHouse {
  const command: ClickHouse['command'] = (params) => {
    const query = params.query
      .replace(`on cluster \`${cluster}\``, '')
      .replace(/Replicated(\w*MergeTree)\('[^']*', '[^']*'(?:, )?/, '$1(');
    return client.command({ ...params, query: query.startsWith('system sync') ? 'select 1' : query });
  };
  const { cluster: name } = client;
  return {
    cluster: name,
    command,
    query: (params) => client.query(params),
    insert: (params) => client.insert(params),
    exec: (params) => client.exec(params),
    send: (...parameters) => client.send(...parameters),
    ping: () => client.ping(),
    close: () => client.close(),
  };
}
