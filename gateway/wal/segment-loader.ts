import { readFile, unlink } from 'node:fs/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type ClickHouse, isRowFault } from '#shared/clickhouse/client.ts';
import { insertBinary } from '#shared/clickhouse/insert-lines.ts';
import { noteEarliest } from '#shared/clickhouse/meter-row-reader.ts';
import { within } from '#shared/domain/kernel/deadline.ts';
import type { Logger } from '#shared/log/log.ts';
import { OutageLog } from '#shared/log/outage-log.ts';
import { recordLateReadings } from '#shared/postgres/charging/session-writes/price.ts';
import type { Sql } from '#shared/postgres/kernel/client.ts';
import { decodeSegment, type Segment } from './segment-format.ts';
import { setAside } from './segment-files.ts';
import type { WriteAheadLog } from './write-ahead-log.ts';

/** Minimum time in ms from one load to the next: the store gets few, large inserts, and shows a reading within a second. */
const loadEveryMs = 500;

const waitAfterFailureMs = 2000;

/** Time in ms for the last load before the thread ends. */
const closeWithinMs = 3000;

export interface SegmentLoaderOptions {
  wal: Pick<WriteAheadLog, 'oldest' | 'dropOldest' | 'completeSegments'>;
  /** Segments of an earlier run, oldest first. */
  recovered: readonly string[];
  clickhouse: ClickHouse;
  sql: Sql;
  deadlineMs: number;
  /** Observes the bytes of each loaded segment. */
  loaded(bytes: number): void;
  log: Logger;
}

/**
 * Moves the segments of a write-ahead log to ClickHouse, oldest first, and removes each one when it is stored. A crash
 * in between stores a segment twice; the sorting key of `meter_samples` collapses repeats. Readings that come later
 * than usual (after an outage or a crash) may belong to sessions that were priced meanwhile: they are recorded as
 * late.
 */
export class SegmentLoader {
  readonly #options: SegmentLoaderOptions;
  readonly #outages: OutageLog;
  readonly #recovered: string[];
  /** True from a failure until everything is loaded. */
  #isBehind = false;
  /** Path of a segment that is in ClickHouse while PostgreSQL could not record its late readings. */
  #stored: string | null = null;
  #timer: NodeJS.Timeout | null = null;
  #startedAt = Number.NEGATIVE_INFINITY;
  #round: Promise<void> | null = null;
  #isStopped = false;

  constructor(options: SegmentLoaderOptions) {
    this.#options = options;
    this.#recovered = [...options.recovered];
    this.#outages = new OutageLog(options.log, {
      failed: 'meter readings wait on the disk: a store is unavailable',
      recovered: 'the meter readings that waited on the disk are stored',
    });
  }

  /** Number of segments that wait for a store longer than usual. */
  get waiting(): number {
    return this.#isBehind ? this.#recovered.length + this.#options.wal.completeSegments : 0;
  }

  /** Schedules a load: rows were written. */
  wake(): void {
    if (this.#timer !== null || this.#round !== null || this.#isStopped) return;
    this.#schedule(Math.max(0, this.#startedAt + loadEveryMs - performance.now()));
  }

  /** Loads what is left, unless a store is unavailable, and stops: the next run continues with the rest. */
  async close(): Promise<void> {
    this.#isStopped = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.#round;
    // What waits for a store waits for the next run too.
    if (this.#isBehind || this.#recovered.length > 0) return;
    await within(this.loadAll(), closeWithinMs, 'the last load of readings').catch((error: unknown) =>
      this.#outages.failed(error),
    );
  }

  /** Loads all segments; rejects, and keeps the rest, when a store is unavailable. */
  async loadAll(): Promise<void> {
    while (await this.#loadOldest());
    this.#caughtUp();
  }

  #schedule(afterMs: number): void {
    if (this.#isStopped) return;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.#round = this.#load();
    }, afterMs);
  }

  /** Loads the oldest segment and schedules the next load. Never rejects. */
  async #load(): Promise<void> {
    let afterMs: number | null = waitAfterFailureMs;
    this.#startedAt = performance.now();
    try {
      // What is in the current segment then was collected after everything that waited.
      const isCurrent = this.#recovered.length + this.#options.wal.completeSegments === 0;
      const isLoaded = await this.#loadOldest();
      if (isCurrent) this.#caughtUp();
      const left = this.#recovered.length + this.#options.wal.completeSegments;
      // While segments wait, they follow one another; else the next row wakes the loader.
      if (left > 0 || this.#isBehind) afterMs = 0;
      else afterMs = isLoaded ? loadEveryMs : null;
    } catch (error) {
      this.#isBehind = true;
      this.#outages.failed(error, { segments: this.waiting });
    }
    this.#round = null;
    if (afterMs !== null) this.#schedule(afterMs);
  }

  #caughtUp(): void {
    this.#isBehind = false;
    this.#outages.recovered();
  }

  /** Loads and removes the oldest segment; returns false when there is none. */
  async #loadOldest(): Promise<boolean> {
    const [recovered] = this.#recovered;
    const path = recovered ?? (await this.#options.wal.oldest());
    if (path === null) return false;
    await this.#move(path, recovered !== undefined || this.#isBehind);
    if (recovered === undefined) this.#options.wal.dropOldest();
    else this.#recovered.shift();
    return true;
  }

  async #move(path: string, isLate: boolean): Promise<void> {
    const file = await readFile(path);
    const segment = this.#decode(file, path);
    if (segment === 'unreadable') return this.#setAside(path, 'unreadable');
    if (segment !== null && segment.frames.length > 0) {
      if (this.#stored !== path && !(await this.#insert(segment, path))) return;
      this.#stored = path;
      if (isLate) await this.#recordLate(segment);
      this.#options.loaded(file.length);
    }
    if (segment !== null && segment.damagedFrames > 0) await this.#setAside(path, 'damaged');
    else await unlink(path);
  }

  #decode(file: Buffer, path: string): Segment | null | 'unreadable' {
    try {
      return decodeSegment(file);
    } catch (error) {
      this.#options.log.error({ err: error, path }, 'a segment of the write-ahead log cannot be read');
      return 'unreadable';
    }
  }

  /** Stores a segment; returns false when ClickHouse refuses its contents, which are set aside then. */
  async #insert({ table, frames }: Segment, path: string): Promise<boolean> {
    try {
      await insertBinary(this.#options.clickhouse, table, frames);
      return true;
    } catch (error) {
      if (!isRowFault(error)) throw error;
      this.#options.log.error({ err: error, path }, 'ClickHouse refused a segment of the write-ahead log');
      await this.#setAside(path, 'refused');
      return false;
    }
  }

  async #recordLate({ frames }: Segment): Promise<void> {
    const earliest = new Map<string, number>();
    for (const frame of frames) {
      noteEarliest(frame, earliest);
      // A long segment must not delay the chargers of this thread.
      await nextTurn();
    }
    const { sql, deadlineMs } = this.#options;
    await within(recordLateReadings(sql, earliest), deadlineMs, 'the record of late readings');
  }

  async #setAside(path: string, reason: 'damaged' | 'unreadable' | 'refused'): Promise<void> {
    const kept = await setAside(path, reason);
    this.#options.log.error({ path: kept }, `a ${reason} segment of the write-ahead log was set aside`);
  }
}
