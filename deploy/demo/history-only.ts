import { readFileSync } from 'node:fs';
import { runningStores } from '#deploy/start/runtime-file.ts';
import { credentialsPath, type FirstCredentials } from '#deploy/start/first-key.ts';
import { openClickHouse } from '#shared/clickhouse/client.ts';
import { loadConfig } from '#shared/config/config.ts';
import { openPostgres } from '#shared/postgres/kernel/client.ts';
import { fillHistory, type HistorySize } from './history.ts';

/** Fills the first network of the running system with a year of sessions, as many as the first argument (JSON) says: for the bench. */
const config = loadConfig();
const { dataDir } = config;
const stores = runningStores(config);
const { networkId } = JSON.parse(readFileSync(credentialsPath(dataDir), 'utf8')) as FirstCredentials;
const size = JSON.parse(process.argv[3] ?? '') as HistorySize;
const sql = openPostgres(stores.databaseUrl, { name: 'chargeway-demo', connections: 1 });
const clickhouse = openClickHouse(stores.clickhouseUrl, {
  name: 'chargeway-demo',
  connections: 1,
  timeoutMs: 600_000,
});
await fillHistory({ sql, clickhouse }, networkId, size);
await sql.end();
await clickhouse.close();
