import type { Clock, Timer } from '#shared/domain/kernel/system-clock.ts';

/** Callers in the order in which they are served: operators at the console, then all others. */
export const callerKinds = ['console', 'other'] as const;
export type CallerKind = (typeof callerKinds)[number];

/** Time in ms that a request waits at most. A request that comes while another has waited half of it is refused at once. */
const patienceMs: Record<CallerKind, number> = { console: 5000, other: 1000 };

const sweepEveryMs = 100;

interface Waiting {
  since: number;
  settle: (isAdmitted: boolean) => void;
}

/**
 * Bounds the requests that a process serves at once. Further ones wait for a short time, and are refused early: requests that all
 * wait for the same CPU and connections would all be late, and clients would repeat them.
 */
export class AdmissionQueue {
  readonly refused: Record<CallerKind, number> = { console: 0, other: 0 };
  readonly #clock: Clock;
  readonly #maxRunning: number;
  readonly #waiting: Record<CallerKind, Waiting[]> = { console: [], other: [] };
  #running = 0;
  #timer: Timer | null = null;

  constructor(clock: Clock, maxRunning: number) {
    this.#clock = clock;
    this.#maxRunning = maxRunning;
  }

  /** Number of requests that are served. */
  get running(): number {
    return this.#running;
  }

  /** Number of requests that wait. */
  get waiting(): number {
    return callerKinds.reduce((sum, kind) => sum + this.#waiting[kind].length, 0);
  }

  /** Calls `settle` when a request is admitted, with true, or refused, with false. Each admitted one ends with `leave`. */
  enter(kind: CallerKind, settle: (isAdmitted: boolean) => void): void {
    if (this.#running < this.#maxRunning) {
      this.#running += 1;
      return settle(true);
    }
    const queue = this.#waiting[kind];
    const since = this.#clock.steady();
    const [head] = queue;
    if (head !== undefined && since - head.since >= patienceMs[kind] / 2) return this.#refuse(kind, settle);
    queue.push({ since, settle });
    this.#timer ??= this.#clock.every(sweepEveryMs, () => this.#sweep());
  }

  /** Counts a request again that left while its body arrived. */
  resume(): void {
    this.#running += 1;
  }

  /** Ends a request, and admits the next one. */
  leave(): void {
    this.#running -= 1;
    this.#sweep();
    while (this.#running < this.#maxRunning) {
      const next = this.#waiting.console.shift() ?? this.#waiting.other.shift();
      if (next === undefined) return;
      this.#running += 1;
      // Not within the end of the request before it: a thousand that end at once would be as many nested calls.
      queueMicrotask(() => next.settle(true));
    }
  }

  /** Refuses the requests that have waited too long. */
  #sweep(): void {
    const now = this.#clock.steady();
    for (const kind of callerKinds) {
      const queue = this.#waiting[kind];
      while (queue[0] !== undefined && now - queue[0].since >= patienceMs[kind])
        this.#refuse(kind, queue.shift()!.settle);
    }
    if (this.waiting > 0) return;
    this.#timer?.cancel();
    this.#timer = null;
  }

  #refuse(kind: CallerKind, settle: (isAdmitted: boolean) => void): void {
    this.refused[kind] += 1;
    settle(false);
  }
}
