import { parseClickHouseUrl, withCluster } from '#shared/domain/kernel/clickhouse-address.ts';
import type { Config } from './config.ts';
import { ConfigError } from './config-error.ts';

/** @throws {ConfigError} when a URL of PostgreSQL is set without DATABASE_URL. */
export function databases(env: {
  DATABASE_URL?: string | undefined;
  DATABASE_DIRECT_URL?: string | undefined;
  DATABASE_READ_URL?: string | undefined;
}): Pick<Config, 'databaseUrl' | 'databasePoolerUrl' | 'databaseReadUrl'> {
  const { DATABASE_URL: url, DATABASE_DIRECT_URL: direct, DATABASE_READ_URL: read } = env;
  if (url === undefined && (direct ?? read) !== undefined) {
    throw new ConfigError(['DATABASE_URL: must be set where DATABASE_DIRECT_URL or DATABASE_READ_URL is']);
  }
  return {
    databaseUrl: direct ?? url ?? null,
    databasePoolerUrl: direct === undefined ? null : (url ?? null),
    databaseReadUrl: read ?? null,
  };
}

/** @throws {ConfigError} when CLICKHOUSE_CLUSTER is missing, or set without its counterpart. */
export function clickhouseDatabase(url: string | undefined, cluster: string | undefined): string | null {
  if (url === undefined) {
    if (cluster === undefined) return null;
    throw new ConfigError(['CLICKHOUSE_CLUSTER: must be set together with CLICKHOUSE_URL']);
  }
  if (cluster === undefined) {
    const hosts = parseClickHouseUrl(url)?.servers.length ?? 0;
    if (hosts <= 1) return url;
    throw new ConfigError([
      'CLICKHOUSE_CLUSTER: must be set where CLICKHOUSE_URL names several hosts; without it each would hold other rows',
    ]);
  }
  return withCluster(url, cluster);
}

/** The three stores that separate processes share. */
export interface StoreUrls {
  databaseUrl: string;
  clickhouseUrl: string;
  redisUrl: string;
}

/**
 * The store URLs, all of which a process that runs alongside others needs.
 * @throws {ConfigError} naming those that are not set.
 */
export function requireStores(config: Config): StoreUrls {
  const { databaseUrl, clickhouseUrl, redisUrl } = config;
  if (databaseUrl !== null && clickhouseUrl !== null && redisUrl !== null) {
    return { databaseUrl, clickhouseUrl, redisUrl };
  }
  const names = { DATABASE_URL: databaseUrl, CLICKHOUSE_URL: clickhouseUrl, REDIS_URL: redisUrl };
  const missing = Object.entries(names).filter(([, value]) => value === null);
  throw new ConfigError(
    missing.map(
      ([name]) => `${name}: must be set for a process of its own (\`npm start\` runs embedded stores)`,
    ),
  );
}
