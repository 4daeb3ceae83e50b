/** Database of ClickHouse, on one server or on the servers of a cluster. */
interface ClickHouseAddress {
  /** URL of each server that accepts requests. */
  servers: readonly string[];
  /** Name of the database; empty: the default one. */
  database: string;
  /** Name of the cluster in the configuration of the servers; null: the tables are on one server. */
  cluster: string | null;
}

/** Scheme with user, hosts with commas in between, and the rest of a URL. */
const parts = /^(https?:\/\/(?:[^/?#]*@)?)([^/?#@]+)(.*)$/;

/**
 * Reads the URL of a ClickHouse database, with one host or several: `http://user:password@one:8123,two:8123/name`.
 * Null: it is no such URL.
 */
export function parseClickHouseUrl(url: string): ClickHouseAddress | null {
  const [, beginning = '', hosts = '', rest = ''] = parts.exec(url) ?? [];
  const names = hosts.split(',');
  const texts = names.map((host) => `${beginning}${host}${rest}`);
  if (names.includes('') || !texts.every((text) => URL.canParse(text))) return null;
  const urls = texts.map((text) => new URL(text));
  const cluster = urls[0]?.searchParams.get('cluster') ?? null;
  for (const { searchParams } of urls) searchParams.delete('cluster');
  return {
    servers: urls.map(({ href }) => href),
    database: decodeURIComponent(urls[0]?.pathname.slice(1) ?? ''),
    cluster,
  };
}

/** Adds the name of a cluster to the URL of a database, from which `parseClickHouseUrl` reads it. */
export function withCluster(url: string, cluster: string): string {
  return `${url}${url.includes('?') ? '&' : '?'}cluster=${cluster}`;
}

/** Returns the URL without its database, for requests to servers that do not have it yet. */
export function withoutDatabase(url: string): string {
  return url.replace(/^(https?:\/\/[^/?#]*)\/[^?#]*/, '$1/');
}
