import { within } from '#shared/domain/kernel/deadline.ts';
import type { Logger } from '#shared/log/log.ts';
import { OutageLog } from '#shared/log/outage-log.ts';
import { type Clock, systemClock, type Timer } from '#shared/domain/kernel/system-clock.ts';

/**
 * Keeps the newest value per key and writes all of them in one statement every few seconds: for values that may be
 * lost with the process because the next message repeats them (rule 3 of the architecture).
 */
export class Coalescer<Key, Value> {
  #values = new Map<Key, Value>();
  /** Values of the write in progress. */
  #leaving = new Map<Key, Value>();
  readonly #write: (values: ReadonlyMap<Key, Value>) => Promise<void>;
  readonly #deadlineMs: number;
  readonly #outages: OutageLog;
  readonly #clock: Clock;
  readonly #timer: Timer;
  #writing: Promise<void> = Promise.resolve();

  constructor(options: {
    /** Name of the values in the log, in the plural. */
    name: string;
    everyMs: number;
    write: (values: ReadonlyMap<Key, Value>) => Promise<void>;
    /** Time in ms after which a write counts as failed. */
    deadlineMs: number;
    log: Logger;
    clock?: Clock;
  }) {
    this.#clock = options.clock ?? systemClock;
    this.#write = options.write;
    this.#deadlineMs = options.deadlineMs;
    this.#outages = new OutageLog(options.log, {
      failed: `${options.name} could not be written; they are kept`,
      recovered: `${options.name} are written again`,
    });
    this.#timer = this.#clock.every(options.everyMs, () => void this.flush());
  }

  /** Returns the newest value that is not known to be stored. */
  get(key: Key): Value | undefined {
    return this.#values.get(key) ?? this.#leaving.get(key);
  }

  set(key: Key, value: Value): void {
    this.#values.set(key, value);
  }

  delete(key: Key): void {
    this.#values.delete(key);
    this.#leaving.delete(key);
  }

  /**
   * Writes the collected values; while the store is unavailable they are kept and newer ones replace them. Never
   * rejects.
   */
  flush(): Promise<void> {
    this.#writing = this.#writing.then(() => this.#flush());
    return this.#writing;
  }

  /** Writes the remaining values and stops. */
  async close(): Promise<void> {
    this.#timer.cancel();
    await this.flush();
  }

  async #flush(): Promise<void> {
    if (this.#values.size === 0) return;
    this.#leaving = this.#values;
    this.#values = new Map();
    try {
      const written = this.#write(this.#leaving);
      await within(written, this.#deadlineMs, 'the write of live values', this.#clock);
      this.#outages.recovered();
    } catch (error) {
      this.#outages.failed(error, { values: this.#leaving.size });
      for (const [key, value] of this.#values) this.#leaving.set(key, value);
      this.#values = this.#leaving;
    }
    this.#leaving = new Map();
  }
}
