/** What waits for a later turn, at most: beyond it the loop is held up, and with it who sends faster than we serve. */
const maxWaiting = 2000;

/** What these may hold together, in characters of text. */
const maxWaitingText = 16 * 1024 * 1024;

interface Waiting {
  serve: () => void;
  length: number;
}

/**
 * Shares the event loop of a shard. Sockets hand over hundreds of events in one turn of it, most of all when a fleet comes
 * back; served all at once they would keep timers, stores and everybody else's answers waiting. A turn serves them for
 * `maxMs`, and leaves the others to the next turns, in the order in which they came.
 */
export class TimeSlicedQueue {
  readonly #maxMs: number;
  #waiting: Waiting[] = [];
  #waitingText = 0;
  /** When the turn that is under way has had its share (ms, `performance.now`); null: none is. */
  #until: number | null = null;

  constructor(maxMs: number) {
    this.#maxMs = maxMs;
  }

  /** Whether an event may be served at once; if not, it has to be left to `enqueue`. */
  hasTime(): boolean {
    if (this.#waiting.length > 0) return false;
    const now = performance.now();
    this.#until ??= this.#begin(now);
    return now < this.#until;
  }

  /** Serves an event, with a text of `length`, in one of the next turns, after those that wait already. It must not throw. */
  enqueue(serve: () => void, length = 0): void {
    this.#waiting.push({ serve, length });
    this.#waitingText += length;
    if (this.#waiting.length > maxWaiting || this.#waitingText > maxWaitingText) this.flush();
  }

  /** Serves all that waits, however long it takes. */
  flush(): void {
    while (this.#waiting.length > 0) this.#serveNext();
  }

  #serveNext(): void {
    const next = this.#waiting.shift();
    this.#waitingText -= next?.length ?? 0;
    next?.serve();
  }

  #begin(now: number): number {
    setImmediate(() => this.#next());
    return now + this.#maxMs;
  }

  #next(): void {
    this.#until = null;
    if (this.#waiting.length === 0) return;
    const until = this.#begin(performance.now());
    this.#until = until;
    // What comes in meanwhile finds others waiting, and waits behind them; one is served in any case.
    do this.#serveNext();
    while (this.#waiting.length > 0 && performance.now() < until);
  }
}
