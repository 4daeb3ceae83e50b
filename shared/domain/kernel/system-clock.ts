/** Timer that was set. */
export interface Timer {
  cancel(): void;
}

/** Time and timers of a process. Tests pass their own (`shared/testing/virtual-clock.ts`). No timer keeps the process alive. */
export interface Clock {
  /** Returns the time in ms since 1970. It jumps when the clock of the machine is set. */
  now(): number;
  /** Returns the time in ms since some moment, for durations. It never jumps. */
  steady(): number;
  /** Calls `run` once, after `ms`. */
  after(ms: number, run: () => void): Timer;
  /** Calls `run` again and again, every `ms`. */
  every(ms: number, run: () => void): Timer;
}

// oxlint-disable time/use-clock -- the one place that reads the clock of the machine
/** The clock of the machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  steady: () => performance.now(),
  after(ms, run) {
    const timer = setTimeout(run, ms).unref();
    return { cancel: () => clearTimeout(timer) };
  },
  every(ms, run) {
    const timer = setInterval(run, ms).unref();
    return { cancel: () => clearInterval(timer) };
  },
};

/** Resolves after `ms`. */
export function pause(clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve) => void clock.after(ms, resolve));
}
