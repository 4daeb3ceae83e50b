/**
 * Maximum number of queued events. Beyond it the queue is served at once, which blocks the loop and so slows down
 * senders.
 */
const maxWaiting = 2000;

/** Maximum size of these events together, in characters of text. */
const maxWaitingText = 16 * 1024 * 1024;

interface Waiting {
  serve: () => void;
  length: number;
}

/**
 * Limits the work of one event loop turn. Sockets deliver hundreds of events in a turn, most of all when a fleet
 * reconnects; served at once they would delay timers, stores and other answers. A turn serves events for `maxMs` and
 * leaves the rest to the next turns, in order.
 */
export class TimeSlicedQueue {
  readonly #maxMs: number;
  #waiting: Waiting[] = [];
  #waitingText = 0;
  /** End of the current turn's share (ms, `performance.now`); null outside a turn. */
  #until: number | null = null;

  constructor(maxMs: number) {
    this.#maxMs = maxMs;
  }

  /** Returns true when an event may be served at once; otherwise it must be passed to `enqueue`. */
  hasTime(): boolean {
    if (this.#waiting.length > 0) return false;
    const now = performance.now();
    this.#until ??= this.#begin(now);
    return now < this.#until;
  }

  /** Queues an event with a text of `length` for one of the next turns. `serve` must not throw. */
  enqueue(serve: () => void, length = 0): void {
    this.#waiting.push({ serve, length });
    this.#waitingText += length;
    if (this.#waiting.length > maxWaiting || this.#waitingText > maxWaitingText) this.flush();
  }

  /** Serves all queued events, however long it takes. */
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
    // Events that arrive meanwhile are queued behind the others; at least one event is served.
    do this.#serveNext();
    while (this.#waiting.length > 0 && performance.now() < until);
  }
}
