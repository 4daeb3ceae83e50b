import { readFileSync } from 'node:fs';
import { readRuntime } from '#deploy/all-in-one/runtime-file.ts';
import { credentialsPath, type FirstCredentials } from '#deploy/first-key.ts';
import { loadConfig } from '#shared/config/config.ts';
import { openPostgres } from '#shared/postgres/kernel/client.ts';
import { seedNetwork } from './seed.ts';

/** Seeds the demo's network in the running system, without its chargers, and prints its tokens as JSON: for the bench. */
const { dataDir } = loadConfig();
const runtime = readRuntime(dataDir);
if (runtime === null) throw new Error(`no system runs on ${dataDir}`);
const { networkId } = JSON.parse(readFileSync(credentialsPath(dataDir), 'utf8')) as FirstCredentials;
const sql = openPostgres(runtime.databaseUrl, { name: 'chargeway-demo', connections: 1 });
const { tokens } = await seedNetwork(sql, networkId);
await sql.end();
console.log(JSON.stringify({ networkId, tokens }));
