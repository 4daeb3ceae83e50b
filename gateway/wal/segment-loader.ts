import { readFile, rm } from 'node:fs/promises';
import { basename } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ClickHouse } from '#shared/clickhouse/client.ts';
import { type ClickHouseFault, clickHouseFault } from '#shared/clickhouse/faults.queries.ts';
import { insertBinary, type LineTable } from '#shared/clickhouse/insert-lines.ts';
import { noteEarliest } from '#shared/clickhouse/meter-row-reader.ts';
import { within } from '#shared/domain/kernel/deadline.ts';
import { type Clock, systemClock, type Timer } from '#shared/domain/kernel/system-clock.ts';
import type { Logger } from '#shared/log/log.ts';
import { OutageLog } from '#shared/log/outage-log.ts';
import { recordLateReadings } from '#shared/postgres/charging/session-writes/price.statements.ts';
import type { Sql } from '#shared/postgres/kernel/client.ts';
import { decodeSegment, type Segment } from './segment-format.ts';
import { setAside, type SetAsideReason } from './segment-files.ts';
import { writeSetAside } from './segment-writer.ts';
import type { WriteAheadLog } from './write-ahead-log.ts';

/**
 * Minimum time in ms from one load to the next. An insert of ten readings costs ClickHouse 20 ms of CPU and one of a thousand 50 ms, so
 * few inserts matter more than their size.
 */
export const loadEveryMs = 2000;

const waitAfterFailureMs = 2000;

/**
 * Time in ms that rows may wait for their load before it counts as late: a slow store fails no request. Shorter than the
 * quiet period before a price is made again, and than the age at which the API caches the readings of a session.
 */
const lateAfterMs = 30_000;

/** Time in ms for which rows that ClickHouse refuses with an unknown code are repeated. */
export const unknownFaultMs = 60_000;

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
  /** Observes each segment that could not be loaded as a whole. */
  faulty(reason: SegmentFault): void;
  /** Observes each failed load, after which the segments wait. */
  failed(fault: ClickHouseFault): void;
  /** Time in ms for which rows that ClickHouse refuses with an unknown code are repeated, before they are set aside. */
  unknownFaultMs: number;
  log: Logger;
  clock?: Clock;
}

/** Reason why a segment was not loaded as a whole: it was set aside, its file is gone, or its last write was cut. */
export type SegmentFault = SetAsideReason | 'missing' | 'torn';

/**
 * Moves the segments of a write-ahead log to ClickHouse, oldest first, and removes each one when it is stored. A crash
 * in between stores a segment twice; the sorting key of `meter_samples` collapses repeats. Readings of an ended session,
 * and all that come later than usual (after an outage or a crash), may be missing in a price: they are recorded as late
 * once they are stored.
 */
export class SegmentLoader {
  readonly #options: SegmentLoaderOptions;
  readonly #clock: Clock;
  readonly #outages: OutageLog;
  readonly #recovered: string[];
  /** Time (ms of the clock) of a failure, or of rows that waited too long, until everything is loaded; null: none. */
  #behindSince: number | null = null;
  /** Segment whose frames are in ClickHouse while PostgreSQL could not record its late readings. */
  #stored: { path: string; frames: Buffer[] } | null = null;
  /** Time (ms of the clock) since which ClickHouse refuses the oldest segment with an unknown code; null: it does not. */
  #unknownSince: number | null = null;
  #timer: Timer | null = null;
  #startedAt = Number.NEGATIVE_INFINITY;
  /** Time since which rows may wait (ms of the clock). */
  #waitingSince = Number.POSITIVE_INFINITY;
  #round: Promise<void> | null = null;
  #isStopped = false;

  constructor(options: SegmentLoaderOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
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

  /** Seconds since which segments wait for a store longer than usual. */
  get lagSeconds(): number {
    return this.#behindSince === null ? 0 : (this.#clock.steady() - this.#behindSince) / 1000;
  }

  get #isBehind(): boolean {
    return this.#behindSince !== null;
  }

  /** Schedules a load: rows were written. */
  wake(): void {
    if (this.#timer !== null || this.#round !== null || this.#isStopped) return;
    this.#waitingSince = this.#clock.steady();
    this.#schedule(Math.max(0, this.#startedAt + loadEveryMs - this.#clock.steady()));
  }

  /** Loads what is left, unless a store is unavailable, and stops: the next run continues with the rest. */
  async close(): Promise<void> {
    this.#isStopped = true;
    this.#timer?.cancel();
    await this.#round;
    // Segments that a store did not take in this run are loaded by the next run.
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
    this.#timer = this.#clock.after(afterMs, () => {
      this.#timer = null;
      this.#round = this.#load();
    });
  }

  /** Loads the oldest segment and schedules the next load. Never rejects. */
  async #load(): Promise<void> {
    let afterMs: number | null = waitAfterFailureMs;
    this.#startedAt = this.#clock.steady();
    try {
      if (this.#startedAt - this.#waitingSince > lateAfterMs) this.#fallBehind();
      // Without complete segments the current one is loaded, which has all rows that were written until now.
      const isCurrent = this.#recovered.length + this.#options.wal.completeSegments === 0;
      const isLoaded = await this.#loadOldest();
      if (isCurrent) {
        this.#waitingSince = this.#startedAt;
        this.#caughtUp();
      }
      const left = this.#recovered.length + this.#options.wal.completeSegments;
      // While segments wait, they follow one another; else the next row wakes the loader.
      if (left > 0 || this.#isBehind) afterMs = 0;
      else afterMs = isLoaded ? loadEveryMs : null;
    } catch (error) {
      this.#fallBehind();
      const fault = clickHouseFault(error);
      this.#options.failed(fault);
      this.#outages.failed(error, { fault, segments: this.waiting });
    }
    this.#round = null;
    if (afterMs !== null) this.#schedule(afterMs);
  }

  #fallBehind(): void {
    this.#behindSince ??= Math.min(this.#waitingSince, this.#clock.steady());
  }

  #caughtUp(): void {
    this.#behindSince = null;
    this.#outages.recovered();
  }

  /** Loads and removes the oldest segment; returns false without a segment. */
  async #loadOldest(): Promise<boolean> {
    const [recovered] = this.#recovered;
    const segment =
      recovered === undefined ? await this.#options.wal.oldest() : { path: recovered, hasLate: true };
    if (segment === null) return false;
    await this.#move(segment.path, segment.hasLate || this.#isBehind);
    this.#unknownSince = null;
    if (recovered === undefined) this.#options.wal.dropOldest();
    else this.#recovered.shift();
    return true;
  }

  async #move(path: string, isLate: boolean): Promise<void> {
    const file = await this.#read(path);
    if (file === null) return;
    const segment = this.#decode(file, path);
    if (segment === 'unreadable') return this.#setAside(path, 'unreadable');
    if (segment !== null && segment.frames.length > 0) {
      const frames = this.#stored?.path === path ? this.#stored.frames : await this.#insert(segment, path);
      this.#stored = { path, frames };
      if (isLate && !(await this.#recordLate({ ...segment, frames }, path)))
        return this.#setAside(path, 'unreadable');
      this.#options.loaded(file.length);
    }
    const { damagedBytes = 0, tornBytes = file.length, frames = [] } = segment ?? {};
    if (damagedBytes > 0) {
      await this.#setAside(path, 'damaged', { loadedFrames: frames.length, damagedBytes });
      return;
    }
    // A write that a crash cut was never acknowledged.
    if (tornBytes > 0) this.#torn(path, tornBytes);
    await rm(path, { force: true });
  }

  #torn(path: string, tornBytes: number): void {
    this.#options.faulty('torn');
    this.#options.log.warn(
      { path, tornBytes },
      'the last write to a segment of the write-ahead log was cut; its senders repeat it',
    );
  }

  /** Returns the contents of a file, or null when it is gone: nothing can be loaded then. */
  async #read(path: string): Promise<Buffer | null> {
    try {
      return await readFile(path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      this.#options.faulty('missing');
      this.#options.log.error({ path }, 'a segment of the write-ahead log is gone before it was loaded');
      return null;
    }
  }

  #decode(file: Buffer, path: string): Segment | null | 'unreadable' {
    try {
      return decodeSegment(file);
    } catch (error) {
      this.#options.log.error({ err: error, path }, 'a segment of the write-ahead log cannot be read');
      return 'unreadable';
    }
  }

  /** Stores a segment and returns the stored frames. Those that ClickHouse refuses are set aside in a segment of their own. */
  async #insert({ table, frames }: Segment, path: string): Promise<Buffer[]> {
    const refused = new Set(await this.#refusedOf(table, frames, basename(path)));
    if (refused.size === 0) return frames;
    const kept = await writeSetAside(path, 'refused', table, [...refused]);
    this.#options.faulty('refused');
    this.#options.log.error(
      { path: kept, refusedFrames: refused.size, loadedFrames: frames.length - refused.size },
      'frames of a segment of the write-ahead log that ClickHouse refused were set aside',
    );
    return frames.filter((frame) => !refused.has(frame));
  }

  /** Stores frames and returns those that ClickHouse refuses, which are found by halves. */
  async #refusedOf(table: LineTable, frames: readonly Buffer[], token: string): Promise<readonly Buffer[]> {
    try {
      await insertBinary(this.#options.clickhouse, table, frames, token);
      return [];
    } catch (error) {
      if (!(await this.#areRowsAtFault(error, table))) throw error;
      this.#options.log.warn({ err: error, frames: frames.length }, 'ClickHouse refused frames of readings');
      if (frames.length === 1) return frames;
      const half = frames.length >> 1;
      const first = await this.#refusedOf(table, frames.slice(0, half), `${token}.0`);
      const second = await this.#refusedOf(table, frames.slice(half), `${token}.1`);
      return [...first, ...second];
    }
  }

  /**
   * Returns true when an insert failed for the contents of its rows. An unknown code counts as such after a time in which it lasted,
   * if an insert without rows succeeds: the readings behind it would wait indefinitely.
   */
  async #areRowsAtFault(error: unknown, table: LineTable): Promise<boolean> {
    const fault = clickHouseFault(error);
    if (fault !== 'unknown') return fault === 'rows';
    this.#unknownSince ??= this.#clock.steady();
    if (this.#clock.steady() - this.#unknownSince < this.#options.unknownFaultMs) return false;
    return insertBinary(this.#options.clickhouse, table, []).then(
      () => true,
      () => false,
    );
  }

  /** Records the sessions of a stored segment; returns false when not all of them can be read from its rows. */
  async #recordLate({ table, frames }: Segment, path: string): Promise<boolean> {
    const earliest = new Map<string, number>();
    let isReadable = true;
    for (const frame of frames) {
      try {
        noteEarliest(frame, table.columns, earliest);
      } catch (error) {
        isReadable = false;
        this.#options.log.error({ err: error, path }, 'late readings are stored but not recorded as late');
      }
      // A long segment must not delay the chargers of this thread.
      await nextTurn();
    }
    const { sql, deadlineMs } = this.#options;
    await within(recordLateReadings(sql, earliest), deadlineMs, 'the record of late readings');
    return isReadable;
  }

  async #setAside(path: string, reason: SetAsideReason, found: object = {}): Promise<void> {
    const kept = await setAside(path, reason);
    this.#options.faulty(reason);
    this.#options.log.error(
      { path: kept, ...found },
      `a ${reason} segment of the write-ahead log was set aside`,
    );
  }
}
