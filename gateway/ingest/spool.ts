import { open, type RootDatabase } from 'lmdb';
import type { MeterRow } from '#shared/clickhouse/meter-samples.ts';

/** Keys sort by the time of writing, so the spool drains in order; the rest keeps writers apart. */
type SpoolKey = [writtenAt: number, writer: string, sequence: number];

/** Batches that were taken from the front of the spool, with what is needed to remove them. */
export interface SpooledRows {
  rows: MeterRow[];
  keys: SpoolKey[];
}

/**
 * Where meter readings wait on disk while ClickHouse is out of reach: acknowledged to the charger, durable over
 * kill -9 and power loss (LMDB, flushed). The threads of a process share one; any of them may write,
 * the supervisor drains.
 */
export class Spool {
  readonly #database: RootDatabase<MeterRow[], SpoolKey>;
  readonly #writer: string;
  #sequence = 0;

  constructor(directory: string, writer: string) {
    this.#database = open<MeterRow[], SpoolKey>({ path: directory, compression: true });
    this.#writer = writer;
  }

  /** Appends rows; when it resolves they are on disk. */
  async append(rows: MeterRow[]): Promise<void> {
    this.#sequence += 1;
    await this.#database.put([Date.now(), this.#writer, this.#sequence], rows);
    await this.#database.flushed;
  }

  /** The oldest batches, together at least `wanted` rows where there are as many; null when nothing waits. */
  first(wanted: number): SpooledRows | null {
    const found: SpooledRows = { rows: [], keys: [] };
    for (const { key, value } of this.#database.getRange({ snapshot: false })) {
      found.rows.push(...value);
      found.keys.push(key);
      if (found.rows.length >= wanted) break;
    }
    return found.keys.length === 0 ? null : found;
  }

  /** Removes batches that are stored elsewhere now. */
  async remove(keys: SpoolKey[]): Promise<void> {
    await this.#database.transaction(() => {
      for (const key of keys) this.#database.removeSync(key);
    });
  }

  /** How many batches wait. */
  size(): number {
    return this.#database.getKeysCount();
  }

  close(): Promise<void> {
    return this.#database.close();
  }
}
