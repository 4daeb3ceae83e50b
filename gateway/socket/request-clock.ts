/** Difference between two requests of one millisecond. Numbers of ms since 1970 hold it exactly, also in JSON and Lua. */
const stepMs = 2 ** -10;

/** Time in ms that requests may be ahead of a clock that was stepped back. */
const maxAheadMs = 1000;

/** Clock of handshake requests: ms since 1970, later for each request, also within a millisecond. */
export class RequestClock {
  #last = 0;

  next(now = Date.now()): number {
    const aheadMs = this.#last - now;
    this.#last = aheadMs >= 0 && aheadMs < maxAheadMs ? this.#last + stepMs : now;
    return this.#last;
  }
}
