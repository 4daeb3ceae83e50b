/** Position up to which all events are settled, while events are settled in any order. */
export class LowWaterMark {
  #position: bigint;
  #next = 0;
  #positions: readonly bigint[] = [];
  readonly #settled = new Set<bigint>();

  constructor(position: bigint) {
    this.#position = position;
  }

  get position(): bigint {
    return this.#position;
  }

  /** Begins a page: positions in ascending order, above the present one. */
  begin(positions: readonly bigint[]): void {
    this.#positions = positions;
    this.#next = 0;
    this.#settled.clear();
  }

  settle(position: bigint): void {
    this.#settled.add(position);
    for (;;) {
      const next = this.#positions[this.#next];
      if (next === undefined || !this.#settled.delete(next)) return;
      this.#position = next;
      this.#next += 1;
    }
  }

  /** Ends the page: returns true, and moves to the end of what was read, when all of it is settled. */
  finish(upTo: bigint): boolean {
    if (this.#next < this.#positions.length) return false;
    this.#position = upTo;
    return true;
  }
}
