import type { Bus } from './contract.ts';
import { silentLog, type BusLog } from './log.ts';
import { joinBus, newIdentity } from './member.ts';
import { redisAddress, redisConnection } from './redis-connection.ts';
import { RedisCounters } from './redis-counters.ts';
import { RedisPresence } from './redis-presence.ts';
import { RedisTransport } from './redis-transport.ts';

export interface RedisBusOptions {
  /** With `?prefix=` it separates installations that share a Redis: all their keys and channels begin with it. */
  url: string;
  /** The member's name, unique among all members; by default a random one. */
  node?: string | undefined;
  /** Time in ms after which a dead member disappears from presence. */
  presenceTtlMs?: number | undefined;
  log?: BusLog | undefined;
}

/**
 * Joins the bus over Redis 7 or newer. When Redis goes away later, operations fail within seconds with
 * `BusUnavailableError`; when it is back, listeners and presence are there again without any doing.
 * @throws {BusUnavailableError} when Redis cannot be reached now.
 */
export async function createRedisBus(options: RedisBusOptions): Promise<Bus> {
  const { node, presenceTtlMs = 6000, log = silentLog } = options;
  const { url, prefix } = redisAddress(options.url);
  const identity = newIdentity(node);
  const commands = redisConnection(url, { autoPipelining: true });
  const subscriber = redisConnection(url, { autoPipelining: false });
  return joinBus({
    identity,
    transport: new RedisTransport({ commands, subscriber, prefix }),
    store: new RedisPresence({ commands, prefix, identity, ttlMs: presenceTtlMs }),
    counters: new RedisCounters(commands, prefix),
    presenceTtlMs,
    log,
  });
}
