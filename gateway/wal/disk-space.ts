import { statfsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { within } from '#shared/domain/kernel/deadline.ts';

/** Validity of a disk check in ms. */
const lookEveryMs = 1000;

/** Time in ms that `room` waits for a disk. Metrics are collected within five seconds. */
const roomWithinMs = 2000;

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
  readonly #floorBytes: number;
  readonly #readFree: () => Promise<number>;
  #free = 0;
  #lookedAt = Number.NEGATIVE_INFINITY;
  /** Look in progress. One at a time: each takes a thread of the pool, for as long as the disk does not answer. */
  #looking: Promise<void> | null = null;

  constructor(directory: string, floorBytes: number, readFree = () => freeBytes(directory)) {
    this.#floorBytes = floorBytes;
    this.#readFree = readFree;
  }

  /** Returns the bytes that can be written; 0 when the disk does not answer within `withinMs`. */
  async room(withinMs = roomWithinMs): Promise<number> {
    try {
      await within(this.#look(), withinMs, 'a look at the disk of the write-ahead log');
    } catch {
      return 0;
    }
    return Math.max(0, this.#free - this.#floorBytes);
  }

  /** @throws {DiskFull} when the disk has no room for so many bytes more. */
  async take(bytes: number): Promise<void> {
    const isFresh = performance.now() - this.#lookedAt < lookEveryMs;
    if (!isFresh || !this.#hasRoom(bytes)) await this.#look();
    if (!this.#hasRoom(bytes)) throw new DiskFull(this.#free, this.#floorBytes);
    this.#free -= bytes;
  }

  #hasRoom(bytes: number): boolean {
    return this.#free - bytes >= this.#floorBytes;
  }

  #look(): Promise<void> {
    this.#looking ??= this.#read().finally(() => (this.#looking = null));
    return this.#looking;
  }

  async #read(): Promise<void> {
    this.#free = await this.#readFree();
    this.#lookedAt = performance.now();
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
