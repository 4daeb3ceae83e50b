import type { Random } from '#shared/simulator/random.ts';

/** Sender whose turn comes at fixed intervals. */
export interface Paced {
  /** @param intendedAt by `performance.now()`. */
  due(intendedAt: number): void;
}

/** Shortest timer of Node.js: messages are sent at most that much late, and latency includes the delay. */
const tickMs = 1;

/**
 * Gives every sender its turns: one in each interval, from a random moment of the first interval on. The sum over many
 * senders resembles independent chargers.
 */
export class Pacer {
  readonly #senders: readonly Paced[];
  readonly #phases: Float64Array;
  readonly #intervalMs: number;
  readonly #startedAt: number;
  readonly #timer: NodeJS.Timeout;
  #turns = 0;

  /** @param rate turns per second of all senders together. */
  constructor(senders: readonly Paced[], rate: number, random: Random, startedAt = performance.now()) {
    this.#senders = senders;
    this.#intervalMs = (senders.length / rate) * 1000;
    this.#phases = Float64Array.from(senders, () => random() * this.#intervalMs).toSorted();
    this.#startedAt = startedAt;
    this.#timer = setInterval(() => this.tick(performance.now()), tickMs);
  }

  /** Gives the turns that are due. */
  tick(now: number): void {
    for (;;) {
      const index = this.#turns % this.#senders.length;
      const round = Math.floor(this.#turns / this.#senders.length);
      const intendedAt = this.#startedAt + round * this.#intervalMs + (this.#phases[index] ?? 0);
      if (!(intendedAt <= now)) return;
      this.#turns++;
      this.#senders[index]?.due(intendedAt);
    }
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}
