/** Redis deployment, as `REDIS_URL` names it. */
export interface RedisAddress {
  /** One server, a Redis Cluster, or a master that Sentinels name. */
  mode: 'single' | 'cluster' | 'sentinel';
  /** The server, nodes of the cluster that name the others, or the Sentinels. */
  hosts: { host: string; port: number }[];
  username: string | undefined;
  password: string | undefined;
  database: number;
  /** Name of the master at the Sentinels; empty in the other modes. */
  master: string;
  sentinelUsername: string | undefined;
  sentinelPassword: string | undefined;
  /** Paths of PEM files; null: no TLS. */
  tls: { ca: string | undefined; cert: string | undefined; key: string | undefined } | null;
  /** Prefix of the keys and channels of this installation. */
  prefix: string;
}

const parameters = ['prefix', 'cacert', 'cert', 'key', 'sentinel_username', 'sentinel_password'];

/**
 * Reads a URL of Redis: `redis://`, `redis+cluster://` or `redis+sentinel://`, with `rediss` for TLS. The last two have
 * several hosts, separated by commas. The path is the number of the database, after the name of the master with
 * Sentinel.
 * @throws {Error} with a sentence that does not repeat the URL, which may hold a password.
 */
export function parseRedisUrl(input: string): RedisAddress {
  const parts = /^(rediss?)(?:\+(cluster|sentinel))?:\/\/([^/?#]*@)?([^/?#@]+)(.*)$/.exec(input);
  if (parts === null) {
    throw new Error(
      'must be a URL that begins with redis://, redis+cluster:// or redis+sentinel:// (rediss… for TLS) and names a host',
    );
  }
  const [, scheme, kind, credentials = '', hostList = '', rest = ''] = parts;
  const mode = kind === 'cluster' || kind === 'sentinel' ? kind : 'single';
  const hosts = hostList.split(',').map((text) => hostOf(text, mode === 'sentinel' ? 26_379 : 6379));
  if (mode === 'single' && hosts.length > 1) {
    throw new Error('names several hosts, which redis+cluster:// and redis+sentinel:// may');
  }
  const url = new URL(`redis://${credentials}host${rest}`);
  const { searchParams } = url;
  const unknown = [...searchParams.keys()].find((name) => !parameters.includes(name));
  if (unknown !== undefined)
    throw new Error(`has the parameter "${unknown}"; known: ${parameters.join(', ')}`);
  const file = (name: string) => searchParams.get(name) ?? undefined;
  return {
    mode,
    hosts,
    username: decode(url.username),
    password: decode(url.password),
    ...pathOf(url.pathname, mode),
    sentinelUsername: searchParams.get('sentinel_username') ?? undefined,
    sentinelPassword: searchParams.get('sentinel_password') ?? undefined,
    tls: scheme === 'rediss' ? { ca: file('cacert'), cert: file('cert'), key: file('key') } : null,
    prefix: searchParams.get('prefix') ?? 'chargeway',
  };
}

function hostOf(text: string, defaultPort: number): { host: string; port: number } {
  if (!URL.canParse(`redis://${text}`)) throw new Error('has a host or port that is not valid');
  const { hostname, port } = new URL(`redis://${text}`);
  // An IPv6 address has brackets in a URL only.
  return { host: hostname.replace(/^\[(.*)\]$/, '$1'), port: port === '' ? defaultPort : Number(port) };
}

function pathOf(path: string, mode: RedisAddress['mode']): Pick<RedisAddress, 'master' | 'database'> {
  const segments = path
    .split('/')
    .slice(1)
    .filter((segment) => segment !== '');
  const master = mode === 'sentinel' ? decode(segments.shift() ?? '') : '';
  if (master === undefined)
    throw new Error('must name the master after the Sentinels, as in …:26379/mymaster');
  const [database = '0', ...more] = segments;
  if (!/^\d{1,5}$/.test(database) || more.length > 0)
    throw new Error('has a path that is no database number');
  if (mode === 'cluster' && database !== '0')
    throw new Error('names a database, and a Redis Cluster has one only');
  return { master, database: Number(database) };
}

function decode(text: string): string | undefined {
  return text === '' ? undefined : decodeURIComponent(text);
}
