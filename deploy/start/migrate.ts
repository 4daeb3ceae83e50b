import { loadConfig } from '#shared/config/config.ts';
import { ConfigError } from '#shared/config/config-error.ts';
import { runMain } from '#shared/config/run.ts';
import { createLogger } from '#shared/log/log.ts';
import { migrateStores } from '#shared/stores/migrate.ts';

/** `npm run migrate`: brings the stores of a production system to the newest version, before its processes start. */
async function main(): Promise<void> {
  const { databaseUrl, clickhouseUrl, logLevel } = loadConfig();
  if (databaseUrl === null) throw new ConfigError(['DATABASE_URL: must be set']);
  if (clickhouseUrl === null) throw new ConfigError(['CLICKHOUSE_URL: must be set']);
  await migrateStores({ databaseUrl, clickhouseUrl }, createLogger('migrate', logLevel));
}

await runMain(main);
