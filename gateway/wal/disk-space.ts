import { statfsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';

/** Time in ms for which a look at the disk is good. */
const lookEveryMs = 1000;

/** Full disk of the write-ahead log; nothing was stored. */
export class DiskFull extends Error {
  constructor(freeBytes: number, floorBytes: number) {
    super(
      `the write-ahead log needs more disk space: ${freeBytes} bytes are free and WAL_FLOOR_BYTES is ${floorBytes}. ` +
        'Free some space on the disk of DATA_DIR',
    );
    this.name = 'DiskFull';
  }
}

/** Free space of the disk of a directory, above the floor that stays free for everything else on it. */
export class DiskSpace {
  readonly #directory: string;
  readonly #floorBytes: number;
  #free = 0;
  #lookedAt = Number.NEGATIVE_INFINITY;

  constructor(directory: string, floorBytes: number) {
    this.#directory = directory;
    this.#floorBytes = floorBytes;
  }

  /** Returns the bytes that can be written. */
  async room(): Promise<number> {
    this.#free = await freeBytes(this.#directory);
    this.#lookedAt = performance.now();
    return Math.max(0, this.#free - this.#floorBytes);
  }

  /** @throws {DiskFull} when the disk has no room for so many bytes more. */
  async take(bytes: number): Promise<void> {
    const isFresh = performance.now() - this.#lookedAt < lookEveryMs && this.#free - bytes > this.#floorBytes;
    if (!isFresh && (await this.room()) < bytes) throw new DiskFull(this.#free, this.#floorBytes);
    this.#free -= bytes;
  }
}

/** @throws {Error} when the disk of a directory is so full that no file can be created on it. */
export function requireRoomToOpen(dataDir: string): void {
  const { bavail, bsize } = statfsSync(dataDir);
  if (bavail * bsize >= leastToOpen) return;
  throw new Error(
    `the disk of ${dataDir} is full: the write-ahead log needs at least ${leastToOpen} bytes to start`,
  );
}

const leastToOpen = 1024 * 1024;

async function freeBytes(directory: string): Promise<number> {
  const { bavail, bsize } = await statfs(directory);
  return bavail * bsize;
}
