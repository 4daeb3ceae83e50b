import { asBinary, open, type RootDatabase } from 'lmdb';
import type { MeterRow } from '#shared/clickhouse/meter-samples.ts';
import { SpoolSpace } from './spool-space.ts';

/** Keys sort by the time of writing, so the spool drains in order; the rest keeps writers apart. */
type SpoolKey = [writtenAt: number, writer: string, sequence: number];

/** Batches that were taken from the front of the spool, with what is needed to remove them. */
export interface SpooledRows {
  rows: MeterRow[];
  keys: SpoolKey[];
}

/** LMDB's own encoder of values. */
interface RowEncoder {
  encode(rows: MeterRow[]): Uint8Array;
}

/** Pages of one tree in the file, as LMDB counts them. */
interface TreePages {
  treeBranchPageCount: number;
  treeLeafPageCount: number;
  overflowPages: number;
}

/** The parts of LMDB's statistics that say how much of its file is in use; the package leaves them untyped. */
interface SpoolStatistics {
  pageSize: number;
  lastPageNumber: number;
  root: TreePages;
  free: TreePages;
}

/** Pages of LMDB's own at the front of its file. */
const metaPages = 2;

/**
 * Where meter readings wait on disk while ClickHouse is out of reach: acknowledged to the charger, durable over
 * kill -9 and power loss (LMDB, flushed). The threads of a process share one; any of them may write,
 * the supervisor drains. Nothing is written without room for it (`SpoolSpace`).
 */
export class Spool {
  readonly #database: RootDatabase<MeterRow[], SpoolKey>;
  readonly #encoder: RowEncoder;
  readonly #space: SpoolSpace;
  readonly #writer: string;
  #sequence = 0;

  constructor(directory: string, writer: string, floorBytes: number) {
    this.#database = open<MeterRow[], SpoolKey>({ path: directory, compression: true });
    // The types of the package leave the encoder of a database out.
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
      // The types of the package do not know that a value may be encoded already.
      await committed(this.#database.put(key, asBinary(encoded) as unknown as MeterRow[]));
      await this.#database.flushed;
    });
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

  /**
   * Removes batches that are stored elsewhere now.
   * @throws {SpoolFull} when the disk is too full to do so.
   */
  async remove(keys: SpoolKey[]): Promise<void> {
    await this.#space.requireRoomToRemove();
    await committed(
      this.#database.transaction(() => {
        for (const key of keys) this.#database.removeSync(key);
      }),
    );
  }

  /** How many batches wait. */
  size(): number {
    return this.#database.getKeysCount();
  }

  /** Bytes that can be appended until the disk is too full. */
  room(): Promise<number> {
    return this.#space.room();
  }

  close(): Promise<void> {
    return this.#database.close();
  }

  /**
   * Bytes of the file that removed batches left and that new ones find room in. A value takes pages that lie side by side:
   * LMDB finds them while half of the file is free, and makes the file longer when it finds none.
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

/** Awaits a commit. The package rejects a second promise of one that fails, which would end the thread if nothing handled it. */
async function committed<Result>(commit: Promise<Result>): Promise<Result> {
  try {
    return await commit;
  } catch (error) {
    (error as { commitError?: Promise<unknown> }).commitError?.catch(() => undefined);
    throw error;
  }
}
