import { readFileSync } from 'node:fs';
import { readRuntime } from '#deploy/all-in-one/runtime-file.ts';
import { credentialsPath, type FirstCredentials } from '#deploy/first-key.ts';
import { openClickHouse } from '#shared/clickhouse/client.ts';
import { loadConfig } from '#shared/config/config.ts';
import { openPostgres } from '#shared/postgres/kernel/client.ts';
import { fillHistory, type HistorySize } from './history.ts';

/** Fills the first network of the running system with a year of sessions, as many as the first argument (JSON) says: for the bench. */
const { dataDir } = loadConfig();
const runtime = readRuntime(dataDir);
if (runtime === null) throw new Error(`no system runs on ${dataDir}`);
const { networkId } = JSON.parse(readFileSync(credentialsPath(dataDir), 'utf8')) as FirstCredentials;
const size = JSON.parse(process.argv[3] ?? '') as HistorySize;
const sql = openPostgres(runtime.databaseUrl, { name: 'chargeway-demo', connections: 1 });
const clickhouse = openClickHouse(runtime.clickhouseUrl, {
  name: 'chargeway-demo',
  connections: 1,
  timeoutMs: 600_000,
});
await fillHistory({ sql, clickhouse }, networkId, size);
await sql.end();
await clickhouse.close();
