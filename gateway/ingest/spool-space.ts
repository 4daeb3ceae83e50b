import { statfsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';

/** Less free space than this, in bytes, and LMDB cannot safely open its files: a page of a mapped file could not be allocated. */
const leastToOpen = 1024 * 1024;

/** Bytes that one transaction may write beside its values: copied pages of the tree and of the list of free pages. */
const transactionBytes = 64 * 1024;

/** The disk of the spool has no room left: nothing was stored. */
export class SpoolFull extends Error {
  constructor(purpose: string, freeBytes: number, floorBytes: number) {
    super(
      `${purpose} needs more disk space: ${freeBytes} bytes are free and SPOOL_FLOOR_BYTES is ${floorBytes}. ` +
        'Free some space on the disk of DATA_DIR',
    );
    this.name = 'SpoolFull';
  }
}

/**
 * Keeps the spool from ever meeting a full disk: LMDB corrupts the heap of the process when a write fails for lack of
 * space. An append may take what is free above the floor, or pages that the spool's own file has free; then it leaves half
 * of the floor to pages that cannot be reused yet. A removal, which copies a few pages, leaves a quarter.
 */
export class SpoolSpace {
  readonly #directory: string;
  readonly #floorBytes: number;
  readonly #reusableBytes: () => number;
  /** Bytes of the appends of this thread that are under way; those of other threads are covered by the floor. */
  #reserved = 0;

  constructor(directory: string, floorBytes: number, reusableBytes: () => number) {
    this.#directory = directory;
    this.#floorBytes = floorBytes;
    this.#reusableBytes = reusableBytes;
  }

  /** Bytes that appends may take until they are refused. */
  async room(): Promise<number> {
    const free = await freeBytes(this.#directory);
    const reusable = free >= this.#floorBytes / 2 ? this.#reusableBytes() : 0;
    return Math.max(0, free - this.#floorBytes, reusable) - this.#reserved;
  }

  /**
   * Runs an append of so many bytes.
   * @throws {SpoolFull} when there is no room for it.
   */
  async append(bytes: number, write: () => Promise<void>): Promise<void> {
    const needed = bytes + transactionBytes;
    if ((await this.room()) < needed) {
      throw new SpoolFull('the spool', await freeBytes(this.#directory), this.#floorBytes);
    }
    this.#reserved += needed;
    try {
      await write();
    } finally {
      this.#reserved -= needed;
    }
  }

  /** @throws {SpoolFull} when a removal could meet a full disk. */
  async requireRoomToRemove(): Promise<void> {
    const free = await freeBytes(this.#directory);
    if (free < this.#floorBytes / 4) throw new SpoolFull('a removal from the spool', free, this.#floorBytes);
  }
}

/** @throws {Error} when the disk of a spool is so full that its files cannot be opened. */
export function requireRoomToOpen(dataDir: string): void {
  const { bavail, bsize } = statfsSync(dataDir);
  if (bavail * bsize >= leastToOpen) return;
  throw new Error(`the disk of ${dataDir} is full: the spool needs at least ${leastToOpen} bytes to start`);
}

async function freeBytes(directory: string): Promise<number> {
  const { bavail, bsize } = await statfs(directory);
  return bavail * bsize;
}
