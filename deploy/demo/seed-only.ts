import { readFileSync } from 'node:fs';
import { runningStores } from '#deploy/start/runtime-file.ts';
import { credentialsPath, type FirstCredentials } from '#deploy/start/first-key.ts';
import { loadConfig } from '#shared/config/config.ts';
import { openPostgres } from '#shared/postgres/kernel/client.ts';
import { seedNetwork } from './seed.ts';

/** Seeds the demo's network in the running system, without its chargers, and prints its tokens as JSON: for the bench. */
const config = loadConfig();
const { dataDir } = config;
const stores = runningStores(config);
const { networkId } = JSON.parse(readFileSync(credentialsPath(dataDir), 'utf8')) as FirstCredentials;
const sql = openPostgres(stores.databaseUrl, { name: 'chargeway-demo', connections: 1 });
const { tokens } = await seedNetwork(sql, networkId);
await sql.end();
console.log(JSON.stringify({ networkId, tokens }));
