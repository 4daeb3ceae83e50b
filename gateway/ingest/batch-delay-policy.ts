/** How long (ms) senders that come right back wait for others at most. */
const maxReturningMs = 25;

/**
 * How long a batch waits for others before it is written. The more senders there are, the more a wait gathers, up to
 * `maxMs`; where nobody else is to come it would gather nothing. And a sender that comes again right after it was
 * answered has more to say, such as a charger that tells what it kept while it was offline, one message at a time: it
 * pays for every wait.
 */
export class BatchDelayPolicy {
  readonly #maxMs: number;
  readonly #returningMs: number;
  /** When (ms, `performance.now`) the senders were answered that were it within the last `maxMs`, the earliest first. */
  readonly #settled = new Map<number, number>();
  #writtenAt = Number.NEGATIVE_INFINITY;

  constructor(maxMs: number) {
    this.#maxMs = maxMs;
    this.#returningMs = Math.min(maxReturningMs, maxMs);
  }

  /** How many ms from now on the batch may wait that an item of this sender joins. */
  delayFor(sender: number): number {
    const now = performance.now();
    this.#forget(now - this.#maxMs);
    const isReturning = this.#settled.delete(sender);
    if (this.#settled.size > 0) return isReturning ? this.#returningMs : this.#maxMs;
    // Everybody waits for this batch. One that comes alone is still not written more than 40 times a second.
    return isReturning ? Math.max(0, this.#writtenAt + this.#returningMs - now) : 0;
  }

  /** A batch is on its way to the store. */
  writeStarted(): void {
    this.#writtenAt = performance.now();
  }

  /** The item of this sender is stored, or was refused. */
  settled(sender: number): void {
    this.#settled.delete(sender);
    this.#settled.set(sender, performance.now());
  }

  #forget(before: number): void {
    for (const [sender, at] of this.#settled) {
      if (at >= before) return;
      this.#settled.delete(sender);
    }
  }
}
