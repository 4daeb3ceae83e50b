import { Redis } from 'ioredis';

const connectTimeoutMs = 2000;
/**
 * A connection on which an answer is overdue for this time (ms) is half open: it is dropped and made anew, and what was asked on
 * it has failed, whatever Redis still does with it.
 */
const socketTimeoutMs = 4000;

/** A Redis as it is configured: where it is, and what our keys and channels there begin with. */
export function redisAddress(configured: string): { url: string; prefix: string } {
  const url = new URL(configured);
  const prefix = url.searchParams.get('prefix') ?? 'chargeway';
  // ioredis takes what is left for options of its own.
  url.searchParams.delete('prefix');
  return { url: url.href, prefix: `${prefix}:` };
}

/**
 * A connection that is made by `connect()` and made anew by itself when it was lost. Nothing is queued or
 * sent again: a caller that was told of a failure must not see its message delivered afterwards.
 * Resubscribing is left to the member, which knows what it listens to and can see it fail.
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
    // Spread, so that a fleet of members does not come back in one instant.
    retryStrategy: (attempt) => Math.min(25 * 2 ** attempt, 1000) * (0.75 + Math.random() / 2),
  });
  // Failures reach the callers by their commands, and the log by the heartbeat.
  connection.on('error', () => undefined);
  return connection;
}
