import { Loader } from '#shared/domain/kernel/loader.ts';
import { type MeterOverride, noOverrides } from '#shared/domain/fleet/meter-override.ts';
import type { Logger } from '#shared/log/log.ts';
import { isPostgresDown, type Sql } from '#shared/postgres/kernel/client.ts';
import {
  followMeterOverrides,
  listMeterOverrides,
} from '#shared/postgres/fleet/meter-overrides.statements.ts';
import { storeDeadlineMs } from './store-deadline.ts';

/**
 * Meter overrides of the chargers of a shard. They are read once per charger, and not at all while no model has any; a
 * change arrives within milliseconds of its commit.
 */
export class MeterOverrides {
  readonly #loader: Loader<number, readonly MeterOverride[]>;
  #isAny = true;
  /** Overrides by charger; a change replaces the map, so that a read from before it stores into the old one. */
  #known = new Map<number, readonly MeterOverride[]>();
  #unfollow: (() => Promise<void>) | null = null;

  private constructor(sql: Sql) {
    this.#loader = new Loader({
      read: (chargerIds) => listMeterOverrides(sql, chargerIds),
      isStoreFailure: isPostgresDown,
      maxKeys: 100,
      deadlineMs: storeDeadlineMs,
    });
  }

  /** Opens the overrides and follows their changes. */
  static async open(sql: Sql, log: Logger): Promise<MeterOverrides> {
    const overrides = new MeterOverrides(sql);
    overrides.#unfollow = await followMeterOverrides(sql, {
      changed: (isAny) => overrides.#reset(isAny),
      failed(error) {
        // What is known stays in use: a call that needs no store must not need one.
        log.warn({ err: error }, 'changes of meter overrides not followed');
      },
    });
    return overrides;
  }

  /** Returns the overrides of a charger, or undefined when they must be read. */
  known(chargerId: number): readonly MeterOverride[] | undefined {
    return this.#isAny ? this.#known.get(chargerId) : noOverrides;
  }

  /** Reads the overrides of a charger unless they are known. */
  async read(chargerId: number): Promise<readonly MeterOverride[]> {
    const known = this.known(chargerId);
    if (known !== undefined) return known;
    const map = this.#known;
    const overrides = (await this.#loader.load(chargerId)) ?? noOverrides;
    map.set(chargerId, overrides);
    return overrides;
  }

  /** Forgets a charger that may have changed, or that disconnected. */
  forget(chargerId: number): void {
    this.#known.delete(chargerId);
  }

  async close(): Promise<void> {
    await this.#unfollow?.();
  }

  #reset(isAny: boolean): void {
    this.#isAny = isAny;
    this.#known = new Map();
  }
}
