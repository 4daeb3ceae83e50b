import type { Clock, Timer } from '#shared/domain/kernel/system-clock.ts';
import type { Logger } from '#shared/log/log.ts';

/** Difference in ms from which the machine's clock counts as wrong. Smaller ones can be due to the network. */
const wrongFromMs = 5000;

/** Maximum duration in ms of a request whose response is used to compare the clocks. */
const slowestMs = 2000;

/**
 * Clock of a shard: the machine's clock, corrected if it differs by 5 s or more from PostgreSQL's, which all processes share. A clock
 * that is an hour slow would make correct times of chargers look like the future, and the gateway would set the chargers' clocks wrong.
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
        'the clocks of this machine and of PostgreSQL differ; the gateway corrects its time until the clock is set',
      );
    } else this.#log.info('the clocks of this machine and of PostgreSQL agree again');
  }
}
