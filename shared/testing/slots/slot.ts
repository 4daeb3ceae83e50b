import { ClickHouseSlot } from './clickhouse-slot.ts';
import { PostgresSlot } from './postgres-slot.ts';

/** Uses after which a slot is dropped: deleted rows take space, and scans of them time. */
const maxUses = 50;

/** Value that is opened once for the databases of a slot, such as an application. */
export interface KeptValue<Value> {
  open: () => Promise<Value>;
  /** Ends what the last test began, before the rows are deleted. Returns false when the value must be opened again. */
  reset: (value: Value) => Promise<boolean>;
  close: (value: Value) => Promise<unknown>;
  /** True when it connects to the databases by itself. */
  opensConnections?: boolean;
}

interface Opened {
  value: unknown;
  opensConnections: boolean;
  reset: () => Promise<boolean>;
  close: () => Promise<unknown>;
}

/** Databases that one test after the other uses, and what is kept for them. */
export class Slot {
  readonly postgres: PostgresSlot;
  readonly clickhouse = new ClickHouseSlot();
  readonly #kept = new Map<string, Opened>();
  #uses = 0;

  private constructor(postgres: PostgresSlot) {
    this.postgres = postgres;
  }

  static async open(): Promise<Slot> {
    const slot = new Slot(await PostgresSlot.open());
    await slot.postgres.remember();
    return slot;
  }

  async keep<Value>(name: string, kept: KeptValue<Value>): Promise<Value> {
    const opened = this.#kept.get(name);
    if (opened !== undefined) return opened.value as Value;
    const value = await kept.open();
    this.#kept.set(name, {
      value,
      opensConnections: kept.opensConnections ?? false,
      reset: () => kept.reset(value),
      close: () => kept.close(value),
    });
    return value;
  }

  /** Prepares the slot for the next test; returns what the last test left behind that cannot be removed. */
  async reset(): Promise<string[]> {
    for (const [name, { reset, close }] of this.#kept) {
      if (await reset()) continue;
      this.#kept.delete(name);
      await close();
    }
    const opensConnections = [...this.#kept.values()].some((kept) => kept.opensConnections);
    const left = await Promise.all([this.postgres.reset(opensConnections), this.clickhouse.reset()]);
    return left.flat();
  }

  /** Counts a use; returns whether the slot may be used again. */
  isFitAfterUse(): boolean {
    this.#uses += 1;
    return this.#uses < maxUses;
  }

  async drop(): Promise<void> {
    for (const { close } of [...this.#kept.values()].toReversed()) await close();
    await Promise.all([this.postgres.drop(), this.clickhouse.drop()]);
  }
}
