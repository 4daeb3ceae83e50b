import { readFileSync } from 'node:fs';
import { Cluster, Redis, type RedisOptions } from 'ioredis';
import type { RedisAddress } from '#shared/domain/kernel/redis-address.ts';

/** Client of one server, or of a cluster. */
export type RedisClient = Redis | Cluster;

const connectTimeoutMs = 2000;
/**
 * Time in ms after which a connection with an overdue reply counts as half open: it is replaced, and its pending
 * commands fail, whether or not Redis executes them.
 */
const socketTimeoutMs = 4000;

/** Interval in ms in which the owners of a cluster's slots are read. */
const slotsRefreshMs = 2000;

/**
 * Creates a connection that `connect()` opens and that reconnects after a loss. Nothing is queued or sent again: a
 * message must not be delivered after its caller received an error. The member subscribes again, since it knows its
 * topics and handles failures.
 */
export function redisConnection(address: RedisAddress, options: { autoPipelining: boolean }): Redis {
  const connection = new Redis({
    ...connectionOptions(address),
    ...(address.mode === 'sentinel' ? sentinelOptions(address) : address.hosts[0]),
    db: address.database,
    lazyConnect: true,
    enableOfflineQueue: false,
    enableAutoPipelining: options.autoPipelining,
    // A ping measures Redis, not the pipeline ahead of it.
    autoPipeliningIgnoredCommands: ['ping'],
    retryStrategy: reconnectDelayMs,
  });
  ignoreErrors(connection);
  return connection;
}

/** Creates the client of a cluster for commands, with the same rules. Subscriptions have connections of their own. */
export function redisCluster(address: RedisAddress): Cluster {
  const cluster = new Cluster(address.hosts, {
    lazyConnect: true,
    enableOfflineQueue: false,
    enableAutoPipelining: true,
    autoPipeliningIgnoredCommands: ['ping'],
    // A command whose connection closed may have been executed.
    retryDelayOnFailover: 0,
    slotsRefreshInterval: slotsRefreshMs,
    slotsRefreshTimeout: connectTimeoutMs,
    clusterRetryStrategy: reconnectDelayMs,
    // Names stay names, which certificates are compared with.
    dnsLookup: (host, callback) => callback(null, host),
    redisOptions: connectionOptions(address),
  });
  cluster.on('error', () => undefined);
  cluster.on('+node', ignoreErrors);
  return cluster;
}

/** Creates a connection for subscriptions to the node that `node` is connected to. */
export function nodeSubscriber(node: Redis): Redis {
  const connection = node.duplicate({ enableOfflineQueue: false, retryStrategy: reconnectDelayMs });
  ignoreErrors(connection);
  return connection;
}

/** Failures reach the callers by their commands, and the log by the heartbeat. */
function ignoreErrors(connection: Redis): void {
  connection.on('error', () => {
    // ioredis hears the first error of a socket only. That of a refused certificate is followed by an alert of the peer,
    // which would end the process.
    const stream = connection.stream as Redis['stream'] | undefined;
    if (stream?.listenerCount('error') === 0) stream.on('error', () => undefined);
  });
}

function connectionOptions({ username, password, tls }: RedisAddress): RedisOptions {
  return {
    connectTimeout: connectTimeoutMs,
    socketTimeout: socketTimeoutMs,
    autoResendUnfulfilledCommands: false,
    autoResubscribe: false,
    maxRetriesPerRequest: 0,
    // CLIENT SETINFO, which Redis 7.0 does not have and the documented ACL user may not.
    disableClientInfo: true,
    username,
    password,
    ...(tls !== null && { tls: tlsOptions(tls) }),
  };
}

function sentinelOptions({
  hosts,
  master,
  sentinelUsername,
  sentinelPassword,
  tls,
}: RedisAddress): RedisOptions {
  return {
    sentinels: hosts,
    name: master,
    sentinelUsername,
    sentinelPassword,
    sentinelCommandTimeout: connectTimeoutMs,
    sentinelRetryStrategy: reconnectDelayMs,
    ...(tls !== null && { sentinelTLS: tlsOptions(tls), enableTLSForSentinelMode: true }),
    // A master that was replaced refuses writes: the Sentinels are asked again.
    reconnectOnError: (error) => /^(READONLY|NOREPLICAS)/.test(error.message),
  };
}

function tlsOptions({ ca, cert, key }: NonNullable<RedisAddress['tls']>) {
  return { ca: contentOf(ca), cert: contentOf(cert), key: contentOf(key) };
}

function contentOf(path: string | undefined): Buffer | undefined {
  return path === undefined ? undefined : readFileSync(path);
}

/** Random, so that a fleet of members does not reconnect at the same time. */
function reconnectDelayMs(attempt: number): number {
  return Math.min(25 * 2 ** attempt, 1000) * (0.75 + Math.random() / 2);
}
