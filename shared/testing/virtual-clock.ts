import type { Clock, Timer } from '#shared/domain/kernel/system-clock.ts';

interface PendingTimer extends Timer {
  /** Time of the next call, in ms of `steady`. */
  dueAt: number;
  /** Null: it is called once. */
  everyMs: number | null;
  run: () => void;
}

/** Clock that stands still until a test advances it. Its wall-clock time begins at the present. */
export class VirtualClock implements Clock {
  readonly #timers = new Set<PendingTimer>();
  readonly #startedAt = Date.now();
  #steady = 0;

  now(): number {
    return this.#startedAt + this.#steady;
  }

  steady(): number {
    return this.#steady;
  }

  /** Number of timers that are set. */
  get pending(): number {
    return this.#timers.size;
  }

  after(ms: number, run: () => void): Timer {
    return this.#set(ms, null, run);
  }

  every(ms: number, run: () => void): Timer {
    return this.#set(ms, ms, run);
  }

  /** Moves the time on, and calls the timers that become due, each at its time. */
  advance(ms: number): void {
    const end = this.#steady + ms;
    for (let next = this.#next(end); next !== undefined; next = this.#next(end)) {
      this.#steady = Math.max(this.#steady, next.dueAt);
      if (next.everyMs === null) this.#timers.delete(next);
      else next.dueAt += next.everyMs;
      next.run();
    }
    this.#steady = end;
  }

  #set(ms: number, everyMs: number | null, run: () => void): Timer {
    const timer: PendingTimer = {
      // As timers of Node.js: at least one millisecond.
      dueAt: this.#steady + Math.max(1, ms),
      everyMs: everyMs === null ? null : Math.max(1, everyMs),
      run,
      cancel: () => void this.#timers.delete(timer),
    };
    this.#timers.add(timer);
    return timer;
  }

  /** Returns the timer that is due first, up to a time. */
  #next(end: number): PendingTimer | undefined {
    let first: PendingTimer | undefined;
    for (const timer of this.#timers) {
      if (timer.dueAt <= end && (first === undefined || timer.dueAt < first.dueAt)) first = timer;
    }
    return first;
  }
}
