import type { WindowCount } from './contract.ts';
import type { RedisClient } from './redis-connection.ts';
import type { Counters } from './transport.ts';

/** KEYS: counter; ARGV: window (ms). One step, so that no counter is left without an end. */
const countScript = `
local count = redis.call('INCR', KEYS[1])
if count == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
return {count, redis.call('PTTL', KEYS[1])}`;

/** Counters in Redis: a key each, which ends with its window. */
export class RedisCounters implements Counters {
  readonly #redis: RedisClient;
  readonly #prefix: string;

  constructor(redis: RedisClient, prefix: string) {
    this.#redis = redis;
    this.#prefix = prefix;
  }

  async count(key: string, windowMs: number): Promise<WindowCount> {
    const answer = await this.#redis.eval(countScript, 1, `${this.#prefix}count:${key}`, windowMs);
    const [count, resetInMs] = answer as [number, number];
    return { count, resetInMs };
  }
}
