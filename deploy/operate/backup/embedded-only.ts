import type { Config } from '#shared/config/config.ts';
import { ConfigError } from '#shared/config/config-error.ts';

/** @throws {ConfigError} when a store is a server of the operator. */
export function requireEmbedded({ databaseUrl, clickhouseUrl }: Config): void {
  if (databaseUrl === null && clickhouseUrl === null) return;
  throw new ConfigError([
    'DATABASE_URL, CLICKHOUSE_URL: servers of your own are backed up with their own tools (docs/operations/backup.md); ' +
      'this command copies the embedded stores only',
  ]);
}
