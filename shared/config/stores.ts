import { parseClickHouseUrl, withCluster } from '#shared/domain/kernel/clickhouse-address.ts';
import type { Config } from './config.ts';
import { ConfigError } from './config-error.ts';
import type { Values } from './variables/variables.ts';

/** @throws {ConfigError} when a URL of PostgreSQL is set without DATABASE_URL. */
export function databases({
  databaseUrl: url,
  databaseDirectUrl: direct,
  databaseReadUrl: read,
}: Pick<Values, 'databaseUrl' | 'databaseDirectUrl' | 'databaseReadUrl'>) {
  if (url === null && (direct ?? read) !== null) {
    throw new ConfigError(['DATABASE_URL: must be set where DATABASE_DIRECT_URL or DATABASE_READ_URL is']);
  }
  return {
    /** PostgreSQL itself, without a pooler in between. */
    databaseUrl: direct ?? url,
    /** Pooler in transaction mode, for requests to the API; null: none. */
    databasePoolerUrl: direct === null ? null : url,
    databaseReadUrl: read,
  };
}

/**
 * Returns the URL with the name of the cluster, if its tables are on one.
 * @throws {ConfigError} when CLICKHOUSE_CLUSTER is missing, or set without its counterpart.
 */
export function clickhouseDatabase(url: string | null, cluster: string | null): string | null {
  if (url === null) {
    if (cluster === null) return null;
    throw new ConfigError(['CLICKHOUSE_CLUSTER: must be set together with CLICKHOUSE_URL']);
  }
  if (cluster !== null) return withCluster(url, cluster);
  const hosts = parseClickHouseUrl(url)?.servers.length ?? 0;
  if (hosts <= 1) return url;
  throw new ConfigError([
    'CLICKHOUSE_CLUSTER: must be set if CLICKHOUSE_URL has several hosts; without it each would hold other rows',
  ]);
}

/** The three stores that separate processes share. */
interface StoreUrls {
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
