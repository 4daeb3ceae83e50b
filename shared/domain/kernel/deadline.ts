import { type Clock, systemClock, type Timer } from './system-clock.ts';

/** Error of work that exceeded its deadline. The work can still end; its result is ignored. */
export class DeadlinePassed extends Error {
  constructor(what: string, ms: number) {
    super(`${what} took longer than ${ms} ms`);
    this.name = 'DeadlinePassed';
  }
}

/**
 * Delay in ms of a timer that shows that this thread was paused; data received meanwhile is then read first.
 */
const pauseMs = 100;
const graceMs = 500;

/** Calls `onPassed` after `ms`; after a pause of this thread a little later, since answers that are there may wait to be read. */
export class Deadline {
  readonly #clock: Clock;
  #timer: Timer;

  constructor(ms: number, onPassed: () => void, clock: Clock = systemClock) {
    this.#clock = clock;
    this.#timer = this.#start(ms, onPassed);
  }

  cancel(): void {
    this.#timer.cancel();
  }

  #start(ms: number, onPassed: () => void): Timer {
    const clock = this.#clock;
    const dueAt = clock.steady() + ms;
    return clock.after(ms, () => {
      if (clock.steady() - dueAt <= pauseMs) onPassed();
      else this.#timer = this.#start(graceMs, onPassed);
    });
  }
}

/**
 * The outcome of `work`, awaited for `ms` at most; `what` names it in the error.
 * @throws {DeadlinePassed} it took longer. What becomes of it then is ignored.
 */
export async function within<Value>(
  work: Promise<Value>,
  ms: number,
  what: string,
  clock: Clock = systemClock,
): Promise<Value> {
  const late = Promise.withResolvers<never>();
  const deadline = new Deadline(ms, () => late.reject(new DeadlinePassed(what, ms)), clock);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    deadline.cancel();
  }
}

/** Time in milliseconds that a charger has to answer a command. */
export const commandTimeoutMs = 30_000;
