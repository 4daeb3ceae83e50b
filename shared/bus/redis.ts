import type { Bus } from './contract.ts';
import { silentLog, type BusLog } from './log.ts';
import { joinBus, newIdentity } from './member.ts';
import { parseRedisUrl, type RedisAddress } from '#shared/domain/kernel/redis-address.ts';
import { ClusterTransport } from './cluster-transport.ts';
import { redisCluster, redisConnection, type RedisClient } from './redis-connection.ts';
import { RedisCounters } from './redis-counters.ts';
import { RedisPresence } from './redis-presence.ts';
import { RedisTransport } from './redis-transport.ts';
import type { Transport } from './transport.ts';

export interface RedisBusOptions {
  /**
   * One server, a cluster or Sentinels, as `REDIS_URL` names them. With `?prefix=` it separates installations that share
   * a Redis: all their keys and channels begin with it.
   */
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
  const address = parseRedisUrl(options.url);
  const prefix = `${address.prefix}:`;
  const identity = newIdentity(node);
  const { commands, transport } =
    address.mode === 'cluster' ? clusterParts(address, prefix) : singleParts(address, prefix);
  return joinBus({
    identity,
    transport,
    store: new RedisPresence({ commands, prefix, identity, ttlMs: presenceTtlMs }),
    counters: new RedisCounters(commands, prefix),
    presenceTtlMs,
    log,
  });
}

interface RedisParts {
  commands: RedisClient;
  transport: Transport;
}

function singleParts(address: RedisAddress, prefix: string): RedisParts {
  const commands = redisConnection(address, { autoPipelining: true });
  const subscriber = redisConnection(address, { autoPipelining: false });
  return { commands, transport: new RedisTransport({ commands, subscriber, prefix }) };
}

function clusterParts(address: RedisAddress, prefix: string): RedisParts {
  const cluster = redisCluster(address);
  return { commands: cluster, transport: new ClusterTransport(cluster, prefix) };
}
