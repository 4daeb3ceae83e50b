import { statfsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';

/** Minimum free space in bytes for LMDB to open its files: with less, a page of a mapped file cannot be allocated. */
const leastToOpen = 1024 * 1024;

/** Bytes that one transaction may write beside its values: copied pages of the tree and of the free list. */
const transactionBytes = 64 * 1024;

/** Full disk of the spool; nothing was stored. */
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
 * Prevents writes to a full disk: LMDB corrupts the heap of the process when a write fails for lack of space. An
 * append may use the space above the floor, or free pages of the spool's own file; half of the floor stays for pages
 * that cannot be reused yet. A removal, which copies a few pages, leaves a quarter.
 */
export class SpoolSpace {
  readonly #directory: string;
  readonly #floorBytes: number;
  readonly #reusableBytes: () => number;
  /** Bytes of this thread's appends in progress; the floor covers those of other threads. */
  #reserved = 0;

  constructor(directory: string, floorBytes: number, reusableBytes: () => number) {
    this.#directory = directory;
    this.#floorBytes = floorBytes;
    this.#reusableBytes = reusableBytes;
  }

  /** Returns the bytes that can be appended before appends are refused. */
  async room(): Promise<number> {
    const free = await freeBytes(this.#directory);
    const reusable = free >= this.#floorBytes / 2 ? this.#reusableBytes() : 0;
    return Math.max(0, free - this.#floorBytes, reusable) - this.#reserved;
  }

  /**
   * Runs an append of the given size.
   * @throws {SpoolFull} when the disk has no room for it.
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
