import { loadConfig } from '#shared/config/config.ts';
import { ConfigError } from '#shared/config/config-error.ts';
import { runMain } from '#shared/config/run.ts';
import { createLogger } from '#shared/log/log.ts';
import { openPostgres } from '#shared/postgres/kernel/client.ts';
import { migrateStores } from '#shared/stores/migrate.ts';
import { createFirstKey, createNewKey, credentialsPath } from './first-key.ts';

/**
 * `npm run bootstrap`: brings the stores of a production system to the newest version and makes its first keys. With
 * `--new-key` it makes one more operator key, whatever there is.
 */
async function main(): Promise<void> {
  const { databaseUrl, clickhouseUrl, dataDir, logLevel } = loadConfig();
  if (databaseUrl === null) throw new ConfigError(['DATABASE_URL: must be set']);
  if (clickhouseUrl === null) throw new ConfigError(['CLICKHOUSE_URL: must be set']);
  await migrateStores({ databaseUrl, clickhouseUrl }, createLogger('migrate', logLevel));
  const sql = openPostgres(databaseUrl, { name: 'chargeway-bootstrap', connections: 1 });
  try {
    if (process.argv.includes('--new-key')) {
      console.log(`Operator key:      ${await createNewKey(sql)}   (shown once; /cpms/v1)`);
      return;
    }
    const credentials = await createFirstKey(sql, dataDir);
    if (credentials === null) {
      console.log('The database has operator keys already: nothing was changed.');
      return;
    }
    console.log(`Network default:   ${credentials.networkId}`);
    console.log(`Operator key:      ${credentials.operatorKey}   (shown once; /cpms/v1)`);
    console.log(`EMSP key:          ${credentials.emspKey}   (shown once; /emsp/v1)`);
    console.log(`Kept in ${credentialsPath(dataDir)}, which only its owner can read.`);
  } finally {
    await sql.end();
  }
}

await runMain(main);
