import { followCredentials } from '#shared/postgres/fleet/charger-changes.ts';
import { type ChargerCredentials, listChargerCredentials } from '#shared/postgres/fleet/charger-records.ts';
import type { Sql } from '#shared/postgres/kernel/client.ts';
import type { Logger } from '#shared/log/log.ts';
import type { Registry } from './registry.ts';

/** About 400 bytes each. A charger beyond them is asked of PostgreSQL when it comes. */
const maxKnown = 100_000;

/**
 * The credentials of the chargers that a shard expects, so that their upgrade is answered at once: 20,000 that come
 * back after a restart ask PostgreSQL nothing. A change reaches the directory within milliseconds of its commit.
 */
export class ChargerDirectory {
  #known = new Map<string, ChargerCredentials>();
  #unfollow: (() => Promise<void>) | null = null;

  /** A directory that knows its chargers and follows their changes; it tells `registry` which were removed. */
  static async open(sql: Sql, registry: Registry, log: Logger): Promise<ChargerDirectory> {
    const directory = new ChargerDirectory();
    directory.#unfollow = await followCredentials(
      sql,
      {
        reset: (all) => {
          directory.#known = new Map(all.map((credentials) => [credentials.uid, credentials]));
          // Changes that were missed concern the sockets that are open, too.
          return directory.#followHeld(sql, registry);
        },
        change: (uid, now) => {
          if (now === null) directory.#known.delete(uid);
          else directory.#known.set(uid, now);
          registry.follow(uid, now);
        },
        failed: (error) => {
          // What could not be read again may be old: chargers are asked of PostgreSQL until it can.
          directory.#known = new Map();
          log.warn({ err: error }, 'changes of chargers could not be followed; each is asked of PostgreSQL');
        },
      },
      maxKnown,
    );
    return directory;
  }

  /** What is known of a charger now; undefined: ask PostgreSQL. */
  get(uid: string): ChargerCredentials | undefined {
    return this.#known.get(uid);
  }

  async #followHeld(sql: Sql, registry: Registry): Promise<void> {
    const held = registry.uids();
    const unsure = held.filter((uid) => !this.#known.has(uid));
    const found = unsure.length === 0 ? [] : await listChargerCredentials(sql, unsure);
    const others = new Map(found.map((credentials) => [credentials.uid, credentials]));
    for (const uid of held) registry.follow(uid, this.#known.get(uid) ?? others.get(uid) ?? null);
  }

  async close(): Promise<void> {
    await this.#unfollow?.();
  }
}
