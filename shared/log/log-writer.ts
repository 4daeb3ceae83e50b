import type { Logger } from './log.ts';

/** What a log writer writes, and what it may hold meanwhile. */
export interface LogWriterOptions<Row> {
  /** What its rows are called in the process's own log, such as `messages`. */
  name: string;
  write: (rows: Row[]) => Promise<void>;
  /** Whether rows were refused for what is in them, so that they would be refused for ever. */
  isRowFault: (error: unknown) => boolean;
  /** About how much memory a row holds, in characters. */
  sizeOf: (row: Row) => number;
  /** Rows wait this long for others, in ms. */
  everyMs: number;
  /** So many rows are written without waiting, and never more at once: encoding them blocks the thread. */
  rowsPerInsert: number;
  /** More than this is never held; what comes then is dropped. */
  mostSize: number;
  stored: (rows: number) => void;
  dropped: (rows: number) => void;
  log: Logger;
}

/** How long the writer rests after the store failed, in ms. */
const restMs = 3000;

/**
 * Writes the rows of a log, in batches, beside the way of the messages: `add` never waits and never fails. It holds a
 * bounded amount; while the store is slow or out of reach for longer than that lasts, rows are dropped, counted, and
 * mentioned once. So this is for what may be lost (ADR 7), never for sessions and readings.
 */
export class LogWriter<Row> {
  readonly #options: LogWriterOptions<Row>;
  #rows: Row[] = [];
  #size = 0;
  #timer: NodeJS.Timeout | null = null;
  #writing: Promise<void> | null = null;
  #isDropping = false;
  #closed = false;

  constructor(options: LogWriterOptions<Row>) {
    this.#options = options;
  }

  add(row: Row): void {
    const size = this.#options.sizeOf(row);
    if (this.#closed || this.#size + size > this.#options.mostSize) {
      this.#drop(1);
      return;
    }
    this.#rows.push(row);
    this.#size += size;
    if (this.#rows.length === this.#options.rowsPerInsert) this.#start(0);
    else this.#start(this.#options.everyMs);
  }

  /** Writes what waits, once, and takes no more. */
  async close(): Promise<void> {
    this.#closed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.#writing;
    while (this.#rows.length > 0 && (await this.#writeBatch()));
    this.#drop(this.#rows.length);
    this.#rows = [];
  }

  #start(afterMs: number): void {
    if (this.#writing !== null) return;
    if (this.#timer !== null) {
      if (afterMs > 0) return;
      clearTimeout(this.#timer);
    }
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.#writing = this.#round().finally(() => (this.#writing = null));
    }, afterMs);
  }

  /** One insert after the other while there is enough for one. */
  async #round(): Promise<void> {
    let isUp = true;
    do isUp = await this.#writeBatch();
    while (isUp && !this.#closed && this.#rows.length >= this.#options.rowsPerInsert);
    this.#writing = null;
    if (!this.#closed && this.#rows.length > 0) this.#start(isUp ? this.#options.everyMs : restMs);
  }

  /** Tells whether the store took the batch, or will never. */
  async #writeBatch(): Promise<boolean> {
    const { write, isRowFault, rowsPerInsert, stored, sizeOf, log, name } = this.#options;
    const batch = this.#rows.splice(0, rowsPerInsert);
    if (batch.length === 0) return true;
    try {
      await write(batch);
      stored(batch.length);
    } catch (error) {
      if (!isRowFault(error)) {
        // They keep their place, and their share of the memory.
        this.#rows = [...batch, ...this.#rows];
        log.debug({ err: error, log: name }, 'a log could not be written yet');
        return false;
      }
      log.error({ err: error, log: name, rows: batch.length }, 'rows of a log were refused');
      this.#options.dropped(batch.length);
    }
    for (const row of batch) this.#size -= sizeOf(row);
    this.#isDropping = false;
    return true;
  }

  #drop(rows: number): void {
    if (rows === 0) return;
    this.#options.dropped(rows);
    if (this.#isDropping) return;
    this.#isDropping = true;
    this.#options.log.warn(
      { log: this.#options.name },
      'a log is full: rows are dropped until it is written',
    );
  }
}
