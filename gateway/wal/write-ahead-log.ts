import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { LineTable } from '#shared/clickhouse/insert-lines.ts';
import { BinaryRows } from '#shared/clickhouse/row-binary.ts';
import { DeadlinePassed, within } from '#shared/domain/kernel/deadline.ts';
import { type Clock, systemClock, type Timer } from '#shared/domain/kernel/system-clock.ts';
import { Commit } from './commit.ts';
import type { DiskSpace } from './disk-space.ts';
import { segmentSuffix } from './segment-files.ts';
import { SegmentWriter } from './segment-writer.ts';

/** Size in bytes at which a segment is complete: the rows of one insert during an outage. */
const fullSegmentBytes = 8 * 1024 * 1024;

/** Maximum size of the rows that wait for a write, in bytes. */
const maxWaitingBytes = 32 * 1024 * 1024;

/** Time in ms from a segment that could not be created to the next attempt. */
const createPauseMs = 1000;

export interface WriteAheadLogOptions {
  /** Directory of the segments; no other log writes to it. */
  directory: string;
  table: LineTable;
  space: Pick<DiskSpace, 'take'>;
  /** Minimum time in ms from one write to the next: many rows share one flush. */
  everyMs: number;
  /** Time in ms after which a write counts as failed, so that its senders are answered. */
  deadlineMs: number;
  /** Time in ms after which the senders of a commit are refused, from the first of them. */
  answerWithinMs: number;
  /** Observes each write: its rows, or the reason why it failed. */
  written(rows: number): void;
  failed(error: Error): void;
  clock?: Clock;
}

/** Too many rows wait for a slow disk: their senders are refused and repeat them. */
export class DiskTooSlow extends Error {
  constructor() {
    super('too many readings wait for the disk of the write-ahead log');
    this.name = 'DiskTooSlow';
  }
}

/** Rows that wait for a write, with the senders to answer. */
interface Batch {
  rows: BinaryRows;
  commit: Commit;
  hasLate: boolean;
}

/** Segment that is ready to be loaded. */
interface CompleteSegment {
  path: string;
  /** True with readings of a session that had ended: a price may miss them. */
  hasLate: boolean;
}

/**
 * Write-ahead log of a shard: rows are encoded into the open batch and appended to the current segment, with one write
 * and one flush for many of them (group commit). `SegmentLoader` moves complete segments to the store.
 */
export class WriteAheadLog {
  readonly #options: WriteAheadLogOptions;
  readonly #clock: Clock;
  /** Distinguishes the segments of two runs, in order of time. */
  readonly #run: string;
  #open: Batch;
  /** Memory of the batch before, for the next one. */
  #spare: BinaryRows | null = null;
  #segment: SegmentWriter | null = null;
  #segments = 0;
  /** True when the current segment has late readings. */
  #hasLate = false;
  /** Complete segments, oldest first. */
  readonly #complete: CompleteSegment[] = [];
  #timer: Timer | null = null;
  #writtenAt = Number.NEGATIVE_INFINITY;
  /** Time before which no segment is created (ms of the clock). */
  #createAt = Number.NEGATIVE_INFINITY;
  /** Settles when the last operation on the segment ends; operations run one after the other. */
  #last: Promise<void> = Promise.resolve();
  #isWriting = false;
  /** True from a missed deadline until the disk answers: rows are refused meanwhile. */
  #isStalled = false;

  constructor(options: WriteAheadLogOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#run = `${String(this.#clock.now()).padStart(14, '0')}-${randomBytes(3).toString('hex')}`;
    this.#open = this.#newBatch();
  }

  /**
   * Returns the encoder of the open batch. What is added to it in this turn belongs to the next result of `commit`.
   * @throws {DiskTooSlow}
   */
  get rows(): BinaryRows {
    const { rows } = this.#open;
    if (this.#isStalled || rows.bytes > maxWaitingBytes) throw new DiskTooSlow();
    return rows;
  }

  /**
   * Returns the commit of the rows that were added, and schedules their write.
   * @param isLate true for readings of a session that may have ended: the loader records them as late.
   */
  commit(isLate = false): Commit {
    if (isLate) this.#open.hasLate = true;
    if (this.#timer === null && !this.#isWriting) this.#schedule();
    return this.#open.commit;
  }

  /** Number of complete segments. */
  get completeSegments(): number {
    return this.#complete.length;
  }

  /** Returns the oldest complete segment; completes the current one when there is no other. Null: nothing was written. */
  async oldest(): Promise<CompleteSegment | null> {
    if (this.#complete.length === 0) await this.#inTurn(() => this.#endSegment());
    return this.#complete[0] ?? null;
  }

  /** Forgets the oldest segment, which is stored elsewhere. */
  dropOldest(): void {
    this.#complete.shift();
  }

  /** Writes the waiting rows and completes the segment. */
  async close(): Promise<void> {
    while (this.#isWriting || this.#open.rows.rows > 0) await (this.#isWriting ? this.#last : this.#write());
    await this.#inTurn(() => this.#endSegment());
  }

  #schedule(): void {
    const dueAt = Math.max(this.#writtenAt + this.#options.everyMs, this.#createAt);
    this.#timer = this.#clock.after(Math.max(0, dueAt - this.#clock.steady()), () => void this.#write());
  }

  async #write(): Promise<void> {
    this.#timer?.cancel();
    this.#timer = null;
    this.#isWriting = true;
    this.#writtenAt = this.#clock.steady();
    await this.#inTurn(() => this.#writeOpen());
    this.#isWriting = false;
    if (this.#open.rows.rows > 0) this.#schedule();
  }

  async #writeOpen(): Promise<void> {
    const { rows, commit, hasLate } = this.#open;
    this.#open = this.#newBatch(this.#spare);
    this.#spare = null;
    const appended = this.#append(rows);
    if (hasLate) this.#hasLate = true;
    try {
      await within(appended, this.#options.deadlineMs, 'a write to the write-ahead log', this.#clock);
    } catch (error) {
      commit.end(error as Error);
      if (error instanceof DeadlinePassed) await this.#awaitDisk(appended, error);
      // The disk may have lost what it did not confirm: the next rows go to a new segment.
      await this.#endSegment();
      this.#options.failed(error as Error);
      return;
    }
    this.#options.written(rows.rows);
    commit.end('durable');
    rows.reset();
    this.#spare = rows;
    if (this.#segment !== null && this.#segment.bytes >= fullSegmentBytes) await this.#endSegment();
  }

  async #append(rows: BinaryRows): Promise<void> {
    const { directory, table, space } = this.#options;
    await space.take(rows.bytes);
    if (this.#segment === null) {
      this.#segments += 1;
      const name = `${this.#run}-${String(this.#segments).padStart(9, '0')}${segmentSuffix}`;
      this.#createAt = this.#clock.steady() + createPauseMs;
      this.#segment = await SegmentWriter.create(join(directory, name), table);
      this.#createAt = Number.NEGATIVE_INFINITY;
    }
    await this.#segment.append(rows.chunks());
  }

  /**
   * Waits for a write that missed its deadline: the segment and the memory of its rows are in use until it ends. Rows
   * that wait behind it, and new ones, are refused.
   */
  async #awaitDisk(appended: Promise<void>, error: Error): Promise<void> {
    this.#isStalled = true;
    const { commit } = this.#open;
    this.#open = this.#newBatch();
    commit.end(error);
    await appended.catch(() => undefined);
    this.#isStalled = false;
  }

  async #endSegment(): Promise<void> {
    const segment = this.#segment;
    if (segment === null) return;
    this.#segment = null;
    try {
      await segment.close();
    } catch (error) {
      this.#options.failed(error as Error);
    }
    // Its frames are on the disk, even if the file could not be closed.
    this.#complete.push({ path: segment.path, hasLate: this.#hasLate });
    this.#hasLate = false;
  }

  /** Runs an operation after those before it. */
  #inTurn(work: () => Promise<void>): Promise<void> {
    this.#last = this.#last.then(work);
    return this.#last;
  }

  #newBatch(memory: BinaryRows | null = null): Batch {
    const { answerWithinMs } = this.#options;
    return {
      rows: memory ?? new BinaryRows(),
      commit: new Commit(answerWithinMs, this.#clock),
      hasLate: false,
    };
  }
}
