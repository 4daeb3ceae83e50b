import { Loader } from '#shared/domain/kernel/loader.ts';
import { type MeterOverride, noOverrides } from '#shared/domain/fleet/meter-override.ts';
import type { Logger } from '#shared/log/log.ts';
import { isPostgresDown, type Sql } from '#shared/postgres/kernel/client.ts';
import { followMeterOverrides, listMeterOverrides } from '#shared/postgres/fleet/meter-overrides.ts';
import { storeDeadlineMs } from './store-deadline.ts';

/**
 * The meter overrides of the chargers of a shard. They are asked for once per charger, and not at all while no model has
 * any; a change reaches the shard within milliseconds of its commit.
 */
export class MeterOverrides {
  readonly #loader: Loader<number, readonly MeterOverride[]>;
  #isAny = true;
  /** By charger; replaced as a whole by a change, so that an answer from before it is kept in the old one. */
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

  /** Overrides that are followed from now on. */
  static async open(sql: Sql, log: Logger): Promise<MeterOverrides> {
    const overrides = new MeterOverrides(sql);
    overrides.#unfollow = await followMeterOverrides(sql, {
      changed: (isAny) => overrides.#reset(isAny),
      failed(error) {
        // There may be some: each charger's are asked for.
        overrides.#reset(true);
        log.warn({ err: error }, 'changes of meter overrides could not be followed');
      },
    });
    return overrides;
  }

  /** What is to be put right in the readings of a charger. */
  of(chargerId: number): readonly MeterOverride[] | Promise<readonly MeterOverride[]> {
    if (!this.#isAny) return noOverrides;
    return this.#known.get(chargerId) ?? this.#load(chargerId);
  }

  /** The charger may be another one, or have another firmware, from now on; or it is gone. */
  forget(chargerId: number): void {
    this.#known.delete(chargerId);
  }

  async close(): Promise<void> {
    await this.#unfollow?.();
  }

  async #load(chargerId: number): Promise<readonly MeterOverride[]> {
    const known = this.#known;
    const found = (await this.#loader.load(chargerId)) ?? noOverrides;
    known.set(chargerId, found);
    return found;
  }

  #reset(isAny: boolean): void {
    this.#isAny = isAny;
    this.#known = new Map();
  }
}
