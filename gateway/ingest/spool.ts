import { asBinary, open, type RootDatabase } from 'lmdb';
import type { MeterRow } from '#shared/clickhouse/meter-samples.ts';
import { SpoolSpace } from './spool-space.ts';

/** Key of a batch: sorted by the time of writing, so that the spool drains in order; the rest separates writers. */
type SpoolKey = [writtenAt: number, writer: string, sequence: number];

/** Batches from the front of the spool, with the keys to remove them. */
export interface SpooledRows {
  rows: MeterRow[];
  keys: SpoolKey[];
}

/** Encoder of values in LMDB. */
interface RowEncoder {
  encode(rows: MeterRow[]): Uint8Array;
}

/** Pages of one tree in the file, as LMDB counts them. */
interface TreePages {
  treeBranchPageCount: number;
  treeLeafPageCount: number;
  overflowPages: number;
}

/** Part of LMDB's statistics on the use of its file; the package leaves them untyped. */
interface SpoolStatistics {
  pageSize: number;
  lastPageNumber: number;
  root: TreePages;
  free: TreePages;
}

/** Number of LMDB's own pages at the front of its file. */
const metaPages = 2;

/**
 * Meter readings on disk while ClickHouse is unavailable: acknowledged to the charger, durable over kill -9 and power
 * loss (LMDB, flushed). The threads of a process share one; any thread may write, the supervisor drains. Appends need
 * free space (`SpoolSpace`).
 */
export class Spool {
  readonly #database: RootDatabase<MeterRow[], SpoolKey>;
  readonly #encoder: RowEncoder;
  readonly #space: SpoolSpace;
  readonly #writer: string;
  #sequence = 0;

  constructor(directory: string, writer: string, floorBytes: number) {
    this.#database = open<MeterRow[], SpoolKey>({ path: directory, compression: true });
    // The types of the package omit the encoder of a database.
    this.#encoder = (this.#database as unknown as { encoder: RowEncoder }).encoder;
    this.#space = new SpoolSpace(directory, floorBytes, () => this.#reusableBytes());
    this.#writer = writer;
  }

  /**
   * Appends rows; when it resolves they are on disk.
   * @throws {SpoolFull} when the disk has no room for them.
   */
  async append(rows: MeterRow[]): Promise<void> {
    const encoded = this.#encoder.encode(rows);
    this.#sequence += 1;
    const key: SpoolKey = [Date.now(), this.#writer, this.#sequence];
    await this.#space.append(encoded.byteLength, async () => {
      // The types of the package omit that a value may be encoded already.
      await committed(this.#database.put(key, asBinary(encoded) as unknown as MeterRow[]));
      await this.#database.flushed;
    });
  }

  /**
   * Returns the oldest batches, together at least `wanted` rows if there are as many; null when the spool is empty.
   */
  first(wanted: number): SpooledRows | null {
    const found: SpooledRows = { rows: [], keys: [] };
    for (const { key, value } of this.#database.getRange({ snapshot: false })) {
      // Spreading a large batch into arguments overflows the stack.
      for (const row of value) found.rows.push(row);
      found.keys.push(key);
      if (found.rows.length >= wanted) break;
    }
    return found.keys.length === 0 ? null : found;
  }

  /**
   * Removes batches that are stored elsewhere.
   * @throws {SpoolFull} when the disk is too full.
   */
  async remove(keys: SpoolKey[]): Promise<void> {
    await this.#space.requireRoomToRemove();
    await committed(
      this.#database.transaction(() => {
        for (const key of keys) this.#database.removeSync(key);
      }),
    );
  }

  /** Returns the number of batches. */
  size(): number {
    return this.#database.getKeysCount();
  }

  /** Returns the bytes that can be appended before the disk is too full. */
  room(): Promise<number> {
    return this.#space.room();
  }

  close(): Promise<void> {
    return this.#database.close();
  }

  /**
   * Returns the bytes of free pages that appends can reuse. A value needs contiguous pages: LMDB finds them while half
   * of the file is free, and extends the file otherwise.
   */
  #reusableBytes(): number {
    const { pageSize, lastPageNumber, root, free } = this.#database.getStats() as SpoolStatistics;
    const pages = lastPageNumber + 1;
    const unused = pages - metaPages - pagesOf(root) - pagesOf(free);
    return Math.max(0, unused - pages / 2) * pageSize;
  }
}

function pagesOf(tree: TreePages): number {
  return tree.treeBranchPageCount + tree.treeLeafPageCount + tree.overflowPages;
}

/**
 * Awaits a commit. On failure the package also rejects a second promise, which would end the thread if nothing handled
 * it.
 */
async function committed<Result>(commit: Promise<Result>): Promise<Result> {
  try {
    return await commit;
  } catch (error) {
    (error as { commitError?: Promise<unknown> }).commitError?.catch(() => undefined);
    throw error;
  }
}
