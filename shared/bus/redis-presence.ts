import { Cluster, type Redis } from 'ioredis';
import { announceEveryMs } from './member-presence.ts';
import type { RedisClient } from './redis-connection.ts';
import type { Claim, Identity, PresenceStore } from './transport.ts';

/**
 * Lifetime in ms of an entry that is not announced again, so that entries of dead members do not stay in Redis. They
 * are ignored long before, because their member's key has expired.
 */
const entryTtlMs = 3 * announceEveryMs;

/** Number of keys requested by one SCAN. */
const scanCount = 1000;

/** KEYS: entry; ARGV: claim, the latest time of another that gives way to it, ttl. Answers what stood there. */
const claimScript = `
local standing = redis.call('GET', KEYS[1])
if standing and standing ~= ARGV[1] and cjson.decode(standing).claimedAt > tonumber(ARGV[2]) then return standing end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[3])
return standing`;

/** KEYS: entry; ARGV: claim. Deletes the entry if it is this claim. */
const releaseScript = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('DEL', KEYS[1])`;

/**
 * Presence in Redis: a key per entry and a key per living member, which expires unless refreshed.
 * Every command and script touches one key only, so none of them depends on keys sharing a server.
 */
export class RedisPresence implements PresenceStore {
  readonly #redis: RedisClient;
  readonly #prefix: string;
  readonly #self: Identity;
  readonly #ttlMs: number;

  constructor(options: { commands: RedisClient; prefix: string; identity: Identity; ttlMs: number }) {
    this.#redis = options.commands;
    this.#prefix = options.prefix;
    this.#self = options.identity;
    this.#ttlMs = options.ttlMs;
  }

  /** Claims one key at a time, in one round trip: a script over several keys would depend on keys sharing a server. */
  claim(claims: readonly Claim[]): Promise<(Claim | null)[]> {
    return Promise.all(claims.map((claim) => this.#claim(claim)));
  }

  async #claim(claim: Claim): Promise<Claim | null> {
    const before = await this.#store(claim, claim.claimedAt);
    const standing = await this.#living(before);
    if (standing === null && before !== null) {
      // A claim of a dead member may look newer, by that member's clock.
      await this.#redis.set(this.#entryKey(claim.key), JSON.stringify(claim), 'PX', entryTtlMs);
    }
    return standing;
  }

  async announce(claims: Claim[]): Promise<void> {
    await Promise.all(claims.map((claim) => this.#store(claim, claim.claimedAt - 1)));
  }

  async release(claim: Claim): Promise<boolean> {
    const deleted = await this.#redis.eval(
      releaseScript,
      1,
      this.#entryKey(claim.key),
      JSON.stringify(claim),
    );
    return deleted === 1;
  }

  async lookup(key: string): Promise<Claim | null> {
    return this.#living(await this.#redis.get(this.#entryKey(key)));
  }

  async list(): Promise<Claim[]> {
    const keys = [...(await this.#entryKeys())];
    const values = await Promise.all(keys.map((key) => this.#redis.get(key)));
    const claims = values.flatMap((value) => (value === null ? [] : [JSON.parse(value) as Claim]));
    const members = new Map(claims.map((claim) => [claim.instance, claim]));
    const alive = new Set<string>();
    await Promise.all(
      [...members.values()].map(async (member) => {
        if (await this.#isAlive(member)) alive.add(member.instance);
      }),
    );
    return claims.filter((claim) => alive.has(claim.instance));
  }

  async refresh(): Promise<boolean> {
    const before = await this.#redis.set(this.#memberKey(this.#self), '1', 'PX', this.#ttlMs, 'GET');
    return before !== null;
  }

  async leave(): Promise<void> {
    await this.#redis.del(this.#memberKey(this.#self));
  }

  async #store(claim: Claim, before: number): Promise<string | null> {
    const args = [JSON.stringify(claim), before, entryTtlMs];
    return (await this.#redis.eval(claimScript, 1, this.#entryKey(claim.key), ...args)) as string | null;
  }

  async #living(value: string | null): Promise<Claim | null> {
    if (value === null) return null;
    const claim = JSON.parse(value) as Claim;
    return (await this.#isAlive(claim)) ? claim : null;
  }

  async #isAlive(member: Identity): Promise<boolean> {
    if (member.instance === this.#self.instance) return true;
    return (await this.#redis.exists(this.#memberKey(member))) === 1;
  }

  async #entryKeys(): Promise<Set<string>> {
    const servers = this.#redis instanceof Cluster ? this.#redis.nodes('master') : [this.#redis];
    // SCAN may name a key more than once.
    const keys = new Set<string>();
    await Promise.all(servers.map((server) => this.#scan(server, keys)));
    return keys;
  }

  async #scan(server: Redis, keys: Set<string>): Promise<void> {
    let cursor = '0';
    do {
      const [next, page] = await server.scan(cursor, 'MATCH', this.#entryKey('*'), 'COUNT', scanCount);
      for (const key of page) keys.add(key);
      cursor = next;
    } while (cursor !== '0');
  }

  #entryKey(key: string): string {
    return `${this.#prefix}presence:${key}`;
  }

  #memberKey({ node, instance }: Identity): string {
    return `${this.#prefix}node:${node}:${instance}`;
  }
}
