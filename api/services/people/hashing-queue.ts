import { DomainError } from '#shared/domain/kernel/errors.ts';

const retryAfterSeconds = 2;

/** Runs a bounded number of password hashes at once, in the order in which they come; refuses what would wait too long. */
export class HashingQueue {
  #limits: { maxRunning: number; maxWaiting: number };
  #running = 0;
  #waiting: (() => void)[] = [];

  constructor(limits: { maxRunning: number; maxWaiting: number }) {
    this.#limits = limits;
  }

  /** @throws {DomainError} RATE_LIMITED when the queue is full. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running >= this.#limits.maxRunning) await this.#turn();
    else this.#running += 1;
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#running -= 1;
      else next();
    }
  }

  /** Resolves when a hash that ends leaves its place to this one. */
  #turn(): Promise<void> {
    if (this.#waiting.length < this.#limits.maxWaiting) {
      return new Promise((resolve) => this.#waiting.push(resolve));
    }
    throw new DomainError(
      'RATE_LIMITED',
      `Too many passwords are being checked: try again in ${retryAfterSeconds} s.`,
      { retryAfterSeconds },
    );
  }
}
