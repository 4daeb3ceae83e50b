/** How long (ms) senders that come right back wait for others at most. */
const maxHurriedMs = 25;

/**
 * How long a batch waits for others before it is written. The more senders there are, the more a wait gathers, up to
 * `maxMs`; where nobody else is to come it would gather nothing. And a sender that comes again right after it was
 * answered has more to say, such as a charger that tells what it kept while it was offline, one message at a time: it
 * pays for every wait.
 */
export class Linger {
  readonly #maxMs: number;
  readonly #hurriedMs: number;
  /** When (ms, `performance.now`) the senders were answered that were it within the last `maxMs`, the earliest first. */
  readonly #answered = new Map<number, number>();
  #writtenAt = Number.NEGATIVE_INFINITY;

  constructor(maxMs: number) {
    this.#maxMs = maxMs;
    this.#hurriedMs = Math.min(maxHurriedMs, maxMs);
  }

  /** How many ms from now on the batch may wait that an item of this sender joins. */
  joined(sender: number): number {
    const now = performance.now();
    this.#forget(now - this.#maxMs);
    const isHurried = this.#answered.delete(sender);
    if (this.#answered.size > 0) return isHurried ? this.#hurriedMs : this.#maxMs;
    // Everybody waits for this batch. One that comes alone is still not written more than 40 times a second.
    return isHurried ? Math.max(0, this.#writtenAt + this.#hurriedMs - now) : 0;
  }

  /** A batch is on its way to the store. */
  writing(): void {
    this.#writtenAt = performance.now();
  }

  /** The item of this sender is stored, or was refused. */
  answered(sender: number): void {
    this.#answered.delete(sender);
    this.#answered.set(sender, performance.now());
  }

  #forget(before: number): void {
    for (const [sender, at] of this.#answered) {
      if (at >= before) return;
      this.#answered.delete(sender);
    }
  }
}
