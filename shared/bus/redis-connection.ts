import { Redis } from 'ioredis';

const connectTimeoutMs = 2000;
/**
 * Time in ms after which a connection with an overdue reply counts as half open: it is replaced, and its pending
 * commands fail, whether or not Redis executes them.
 */
const socketTimeoutMs = 4000;

/** Address of Redis as configured, with the prefix of our keys and channels. */
export function redisAddress(configured: string): { url: string; prefix: string } {
  const url = new URL(configured);
  const prefix = url.searchParams.get('prefix') ?? 'chargeway';
  // ioredis takes what is left for options of its own.
  url.searchParams.delete('prefix');
  return { url: url.href, prefix: `${prefix}:` };
}

/**
 * Creates a connection that `connect()` opens and that reconnects after a loss. Nothing is queued or sent again: a
 * message must not be delivered after its caller received an error. The member subscribes again, since it knows its
 * topics and handles failures.
 */
export function redisConnection(url: string, options: { autoPipelining: boolean }): Redis {
  const connection = new Redis(url, {
    lazyConnect: true,
    connectTimeout: connectTimeoutMs,
    socketTimeout: socketTimeoutMs,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    autoResubscribe: false,
    maxRetriesPerRequest: 0,
    enableAutoPipelining: options.autoPipelining,
    // A ping measures Redis, not the pipeline ahead of it.
    autoPipeliningIgnoredCommands: ['ping'],
    // Random, so that a fleet of members does not reconnect at the same time.
    retryStrategy: (attempt) => Math.min(25 * 2 ** attempt, 1000) * (0.75 + Math.random() / 2),
  });
  // Failures reach the callers by their commands, and the log by the heartbeat.
  connection.on('error', () => undefined);
  return connection;
}
