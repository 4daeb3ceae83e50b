import { runBisected } from '#shared/domain/kernel/bisect.ts';
import { within } from '#shared/domain/kernel/deadline.ts';
import { type Clock, systemClock, type Timer } from '#shared/domain/kernel/system-clock.ts';
import { BatchDelayPolicy } from './batch-delay-policy.ts';

/** Write operation of a batcher, with its limits. */
export interface BatchWriter<Item> {
  /** Stores the items; when it resolves they are durable. */
  write(items: Item[]): Promise<void>;
  /** Returns true when the store failed (every item would fail again) and not an item. */
  isStoreFailure(error: unknown): boolean;
  /** Returns the sender of an item, by which the delay is chosen (`BatchDelayPolicy`). */
  senderOf(item: Item): number;
  /** Maximum time in ms that the first item of a batch waits for others. */
  maxDelayMs: number;
  /** Maximum size of a batch; a full one is written without waiting. */
  maxItems: number;
  /** Maximum number of concurrent writes. */
  concurrency: number;
  /** Time in ms after which a write counts as failed, so that later batches do not wait without end. */
  deadlineMs: number;
}

interface Entry<Item> {
  item: Item;
  resolve(): void;
  reject(error: unknown): void;
}

/**
 * Group commit: combines items of many chargers into one write and settles each when it is durable (rules 1 and 3 of
 * the architecture). A batch with an invalid item is bisected, so that only the invalid item fails (`runBisected`).
 */
export class Batcher<Item> {
  readonly #writer: BatchWriter<Item>;
  readonly #delayPolicy: BatchDelayPolicy;
  readonly #clock: Clock;
  #entries: Entry<Item>[] = [];
  #timer: Timer | null = null;
  /** Time of the timer, in ms of the clock. */
  #dueAt = Number.POSITIVE_INFINITY;
  /** True when the delay has passed; the batch is written as soon as a slot is free. */
  #isDue = false;
  #writing = 0;
  #idle: (() => void)[] = [];

  constructor(writer: BatchWriter<Item>, clock: Clock = systemClock) {
    this.#writer = writer;
    this.#clock = clock;
    this.#delayPolicy = new BatchDelayPolicy(writer.maxDelayMs, clock);
  }

  /** Resolves when the item is durable; rejects when it could not be stored. */
  add(item: Item): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#entries.push({ item, resolve, reject });
      const waitMs = this.#delayPolicy.delayFor(this.#writer.senderOf(item));
      if (this.#entries.length >= this.#writer.maxItems) this.#start();
      else this.#schedule(waitMs);
    });
  }

  /** Writes the waiting items; resolves when no write is in progress. */
  async drain(): Promise<void> {
    this.#start();
    if (this.#writing > 0 || this.#entries.length > 0) {
      await new Promise<void>((resolve) => this.#idle.push(resolve));
    }
  }

  #schedule(waitMs: number): void {
    const dueAt = this.#clock.steady() + waitMs;
    if (dueAt >= this.#dueAt) return;
    this.#timer?.cancel();
    this.#dueAt = dueAt;
    this.#timer = this.#clock.after(waitMs, () => this.#start());
  }

  #start(): void {
    this.#timer?.cancel();
    this.#timer = null;
    this.#dueAt = Number.POSITIVE_INFINITY;
    // While every slot is taken, items accumulate: batches grow with the load.
    this.#isDue = this.#entries.length > 0;
    if (!this.#isDue || this.#writing >= this.#writer.concurrency) return;
    const batch = this.#entries.splice(0, this.#writer.maxItems);
    this.#isDue = this.#entries.length > 0;
    this.#writing += 1;
    this.#delayPolicy.writeStarted();
    void this.#write(batch).finally(() => {
      this.#writing -= 1;
      if (this.#isDue) this.#start();
      else if (this.#writing === 0 && this.#entries.length === 0)
        for (const resolve of this.#idle.splice(0)) resolve();
    });
  }

  #write(batch: Entry<Item>[]): Promise<void> {
    const { deadlineMs } = this.#writer;
    return runBisected(batch, {
      run: (entries) => {
        const written = this.#writer.write(entries.map(({ item }) => item));
        return within(written, deadlineMs, 'the write of a batch', this.#clock);
      },
      isStoreFailure: (error) => this.#writer.isStoreFailure(error),
      succeeded: (entries) => this.#answer(entries, (entry) => entry.resolve()),
      failed: (entries, error) => this.#answer(entries, (entry) => entry.reject(error)),
    });
  }

  #answer(batch: Entry<Item>[], answer: (entry: Entry<Item>) => void): void {
    for (const entry of batch) {
      this.#delayPolicy.settled(this.#writer.senderOf(entry.item));
      answer(entry);
    }
  }
}
