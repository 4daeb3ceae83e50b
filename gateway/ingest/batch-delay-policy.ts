import type { Clock } from '#shared/domain/kernel/system-clock.ts';

/** Maximum delay in ms for a sender whose previous item was just settled. */
const maxReturningMs = 25;

/**
 * Delay of a batch before it is written. With many senders a delay collects many items; with a single sender it would
 * collect none. A sender that returns right after its answer, such as a charger that replays offline messages one at a
 * time, pays for every delay, so its delay is shorter.
 */
export class BatchDelayPolicy {
  readonly #maxMs: number;
  readonly #returningMs: number;
  readonly #clock: Clock;
  /** Time (in ms of the clock) at which each sender of the last `maxMs` was answered, earliest first. */
  readonly #settled = new Map<number, number>();
  #writtenAt = Number.NEGATIVE_INFINITY;

  constructor(maxMs: number, clock: Clock) {
    this.#maxMs = maxMs;
    this.#clock = clock;
    this.#returningMs = Math.min(maxReturningMs, maxMs);
  }

  /** Returns the maximum delay in ms of the batch that an item of this sender joins. */
  delayFor(sender: number): number {
    const now = this.#clock.steady();
    this.#forget(now - this.#maxMs);
    const isReturning = this.#settled.delete(sender);
    if (this.#settled.size > 0) return isReturning ? this.#returningMs : this.#maxMs;
    // No other sender is active. A single sender still causes at most 40 writes per second.
    return isReturning ? Math.max(0, this.#writtenAt + this.#returningMs - now) : 0;
  }

  /** Records the start of a write. */
  writeStarted(): void {
    this.#writtenAt = this.#clock.steady();
  }

  /** Records that the item of this sender was stored or refused. */
  settled(sender: number): void {
    this.#settled.delete(sender);
    this.#settled.set(sender, this.#clock.steady());
  }

  #forget(before: number): void {
    for (const [sender, at] of this.#settled) {
      if (at >= before) return;
      this.#settled.delete(sender);
    }
  }
}
