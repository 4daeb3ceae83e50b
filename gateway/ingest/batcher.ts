import { runBisected } from '#shared/domain/kernel/bisect.ts';
import { within } from '#shared/domain/kernel/deadline.ts';
import { BatchDelayPolicy } from './batch-delay-policy.ts';

/** How a batch is written. */
export interface BatchWriter<Item> {
  /** Stores the items; when it resolves they are durable. */
  write(items: Item[]): Promise<void>;
  /** Whether a failure is the store's (all would fail again) and not an item's. */
  isStoreFailure(error: unknown): boolean;
  /** Whose item it is: one that everybody waits for is not kept waiting for others (`BatchDelayPolicy`). */
  senderOf(item: Item): number;
  /** How long the first item of a batch waits for others at most, in ms. */
  maxDelayMs: number;
  /** A batch of this many items is written without waiting, and is never larger. */
  maxItems: number;
  /** Writes that may be under way at once. */
  concurrency: number;
  /** A write that has not ended after so many ms has failed: those behind it do not wait for it for ever. */
  deadlineMs: number;
}

interface Entry<Item> {
  item: Item;
  resolve(): void;
  reject(error: unknown): void;
}

/**
 * Group commit: gathers items of many chargers into one write and tells each when its own is durable
 * (rules 1 and 3 of the architecture). An item that makes a write fail fails alone: the batch is halved until
 * it stands by itself, so that one bad item among n costs about 2 log n writes.
 */
export class Batcher<Item> {
  readonly #writer: BatchWriter<Item>;
  readonly #delayPolicy: BatchDelayPolicy;
  #entries: Entry<Item>[] = [];
  #timer: NodeJS.Timeout | null = null;
  /** When (ms, `performance.now`) the timer goes off. */
  #dueAt = Number.POSITIVE_INFINITY;
  /** What waits has waited long enough; it is written as soon as a slot is free. */
  #isDue = false;
  #writing = 0;
  #idle: (() => void)[] = [];

  constructor(writer: BatchWriter<Item>) {
    this.#writer = writer;
    this.#delayPolicy = new BatchDelayPolicy(writer.maxDelayMs);
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

  /** Writes what waits and resolves when nothing is under way any more. */
  async drain(): Promise<void> {
    this.#start();
    if (this.#writing > 0 || this.#entries.length > 0) {
      await new Promise<void>((resolve) => this.#idle.push(resolve));
    }
  }

  #schedule(waitMs: number): void {
    const dueAt = performance.now() + waitMs;
    if (dueAt >= this.#dueAt) return;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#dueAt = dueAt;
    this.#timer = setTimeout(() => this.#start(), waitMs);
  }

  #start(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#dueAt = Number.POSITIVE_INFINITY;
    // With every slot taken, items gather until one is free: batches grow with the load.
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
      run: (entries) =>
        within(this.#writer.write(entries.map(({ item }) => item)), deadlineMs, 'the write of a batch'),
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
