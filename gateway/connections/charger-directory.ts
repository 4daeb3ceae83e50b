import { followCredentials } from '#shared/postgres/fleet/charger-changes.ts';
import { type ChargerCredentials, listChargerCredentials } from '#shared/postgres/fleet/charger-records.ts';
import type { Sql } from '#shared/postgres/kernel/client.ts';
import type { Logger } from '#shared/log/log.ts';
import type { Registry } from './registry.ts';

/** Maximum number of cached chargers, about 400 bytes each. Others are read from PostgreSQL at their handshake. */
const maxKnown = 100_000;

/**
 * Cached credentials of chargers, so that a handshake is answered at once: 20,000 chargers that reconnect after a
 * restart cause no query. A change arrives within milliseconds of its commit.
 */
export class ChargerDirectory {
  #known = new Map<string, ChargerCredentials>();
  #unfollow: (() => Promise<void>) | null = null;

  /** Loads the directory and follows changes of chargers; closes the sockets of removed chargers in `registry`. */
  static async open(sql: Sql, registry: Registry, log: Logger): Promise<ChargerDirectory> {
    const directory = new ChargerDirectory();
    directory.#unfollow = await followCredentials(
      sql,
      {
        reset: (all) => {
          directory.#known = new Map(all.map((credentials) => [credentials.uid, credentials]));
          // Missed changes also concern open sockets.
          return directory.#followHeld(sql, registry);
        },
        change: (uid, now) => {
          if (now === null) directory.#known.delete(uid);
          else directory.#known.set(uid, now);
          registry.follow(uid, now);
        },
        failed: (error) => {
          // The cache may be outdated: chargers are read from PostgreSQL until changes can be followed again.
          directory.#known = new Map();
          log.warn({ err: error }, 'changes of chargers not followed; credentials are read from PostgreSQL');
        },
      },
      maxKnown,
    );
    return directory;
  }

  /** Returns the cached credentials of a charger; undefined when they must be read from PostgreSQL. */
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
