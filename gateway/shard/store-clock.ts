import type { Clock, Timer } from '#shared/domain/kernel/system-clock.ts';
import type { Logger } from '#shared/log/log.ts';

/** Difference in ms from which a clock is wrong, and not only late by the way of an answer. */
const wrongFromMs = 5000;

/** Longest time in ms of a request whose answer tells the time well enough. */
const slowestMs = 2000;

/**
 * Clock of a shard: that of its machine, corrected where it differs by 5 s or more from PostgreSQL's, which all processes share.
 * A machine that is an hour late would replace the right times of all chargers as lying in the future, and set their clocks wrong.
 */
export class StoreClock implements Clock {
  readonly #machine: Clock;
  readonly #log: Logger;
  #correctionMs = 0;
  #aheadMs = 0;

  constructor(machine: Clock, log: Logger) {
    this.#machine = machine;
    this.#log = log;
  }

  /** Seconds by which the machine's clock is ahead of PostgreSQL's; negative: behind. */
  get aheadSeconds(): number {
    return this.#aheadMs / 1000;
  }

  now(): number {
    return this.#machine.now() + this.#correctionMs;
  }

  steady(): number {
    return this.#machine.steady();
  }

  after(ms: number, run: () => void): Timer {
    return this.#machine.after(ms, run);
  }

  every(ms: number, run: () => void): Timer {
    return this.#machine.every(ms, run);
  }

  /** Compares with the time (ms since 1970) in PostgreSQL's answer to a request that was sent at `sentAt` (ms of `steady`). */
  compare(storeTime: number, sentAt: number): void {
    const tripMs = this.#machine.steady() - sentAt;
    if (tripMs > slowestMs) return;
    this.#aheadMs = this.#machine.now() - (storeTime + tripMs / 2);
    const isWrong = Math.abs(this.#aheadMs) >= wrongFromMs;
    if (isWrong !== (this.#correctionMs !== 0)) this.#report(isWrong);
    this.#correctionMs = isWrong ? -this.#aheadMs : 0;
  }

  #report(isWrong: boolean): void {
    const seconds = Math.round(this.aheadSeconds);
    if (isWrong) {
      this.#log.warn(
        { aheadSeconds: seconds },
        'the clock of this machine is not that of PostgreSQL; it is corrected here, and must be set',
      );
    } else this.#log.info('the clock of this machine agrees with that of PostgreSQL again');
  }
}
