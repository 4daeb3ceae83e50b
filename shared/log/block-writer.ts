import type { Logger } from './log.ts';

/** Rows of a log, encoded. */
interface RowBlock {
  readonly rows: number;
  /** Bytes of all rows. */
  readonly bytes: number;
  chunks(): Uint8Array[];
  /** Removes all rows; their memory may be used again. */
  reset(): void;
}

/** Options of a log writer, with its limits. */
export interface LogWriterOptions {
  /** Name of its rows in the process's own log, such as `messages`. */
  name: string;
  /** Stores encoded rows. */
  write: (chunks: readonly Uint8Array[]) => Promise<void>;
  /** Returns true when rows were refused for their content, so that they would be refused again. */
  isRowFault: (error: unknown) => boolean;
  /** Rows wait this long for others, in ms. */
  everyMs: number;
  /** Maximum number of rows per insert; a full batch is written without waiting. */
  rowsPerInsert: number;
  /** Maximum bytes of waiting rows; further rows are dropped. */
  maxBytes: number;
  stored: (rows: number) => void;
  dropped: (rows: number) => void;
  log: Logger;
}

/** Time in ms without writes after the store failed. */
const restMs = 3000;

/**
 * Writes the rows of a log in batches, outside the message pipeline: adding a row never waits and never fails. It holds a
 * bounded amount; during a longer outage rows are dropped, counted, and logged once. Only for data that may be lost
 * (ADR 7), never for sessions and readings.
 */
export class BlockWriter<Block extends RowBlock> {
  readonly #options: LogWriterOptions;
  readonly #newBlock: () => Block;
  /** Empty block, the last one that was stored: memory outside the heap is freed by full collections only. */
  #spare: Block | null = null;
  /** Blocks of rows that are as large as an insert may be, oldest first. */
  #full: Block[] = [];
  /** Joined by what comes. */
  #open: Block;
  /** Of the full blocks. */
  #fullBytes = 0;
  #timer: NodeJS.Timeout | null = null;
  #writing: Promise<void> | null = null;
  #isDropping = false;
  #closing: Promise<void> | null = null;

  constructor(options: LogWriterOptions, newBlock: () => Block) {
    this.#options = options;
    this.#newBlock = newBlock;
    this.#open = newBlock();
  }

  /** Returns the block that the caller adds one row to before it calls `added`; null: the row is dropped. */
  begin(): Block | null {
    if (this.#closing === null && this.#fullBytes + this.#open.bytes < this.#options.maxBytes)
      return this.#open;
    this.#drop(1);
    return null;
  }

  /** Sees to it that the added row is written. */
  added(): void {
    if (this.#open.rows < this.#options.rowsPerInsert) {
      this.#start(this.#options.everyMs);
    } else {
      this.#seal();
      // Behind others it waits for their turn: the store may be away.
      this.#start(this.#full.length === 1 ? 0 : this.#options.everyMs);
    }
  }

  /** Writes what waits, once, and takes no more. */
  close(): Promise<void> {
    this.#closing ??= this.#finish();
    return this.#closing;
  }

  async #finish(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.#writing;
    this.#seal();
    while (this.#full.length > 0 && (await this.#writeOldest()));
    for (const block of this.#full.splice(0)) this.#drop(block.rows);
  }

  #seal(): void {
    if (this.#open.rows === 0) return;
    this.#full.push(this.#open);
    this.#fullBytes += this.#open.bytes;
    this.#open = this.#spare ?? this.#newBlock();
    this.#spare = null;
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

  /** Writes the due rows, then further inserts while enough rows wait for one. */
  async #round(): Promise<void> {
    let isUp = true;
    if (this.#full.length === 0) this.#seal();
    do isUp = await this.#writeOldest();
    while (isUp && this.#closing === null && this.#full.length > 0);
    this.#writing = null;
    if (this.#closing !== null) return;
    if (this.#full.length > 0) this.#start(restMs);
    else if (this.#open.rows > 0) this.#start(this.#options.everyMs);
  }

  /** Returns true when the store accepted the rows or will never accept them. */
  async #writeOldest(): Promise<boolean> {
    const { write, isRowFault, stored, dropped, log, name } = this.#options;
    const [block] = this.#full;
    if (block === undefined) return true;
    try {
      await write(block.chunks());
      stored(block.rows);
      this.#spare = block;
    } catch (error) {
      if (!isRowFault(error)) {
        // They keep their place, and their share of the memory.
        log.debug({ err: error, log: name }, 'a log could not be written yet');
        return false;
      }
      log.error({ err: error, log: name, rows: block.rows }, 'rows of a log were refused');
      dropped(block.rows);
    }
    this.#full.shift();
    this.#fullBytes -= block.bytes;
    this.#spare?.reset();
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
