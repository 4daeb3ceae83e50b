/** Durations of one kind, exact, in ms. They can be sent between processes and merged. */
export class Latencies {
  #values = new Float32Array(1024);
  #count = 0;

  /** Joins the values of several processes. */
  static merged(lists: readonly Float32Array[]): Latencies {
    const all = new Latencies();
    all.#values = new Float32Array(lists.reduce((sum, { length }) => sum + length, 1));
    for (const list of lists) {
      all.#values.set(list, all.#count);
      all.#count += list.length;
    }
    return all;
  }

  get count(): number {
    return this.#count;
  }

  record(ms: number): void {
    if (this.#count === this.#values.length) {
      const grown = new Float32Array(this.#values.length * 2);
      grown.set(this.#values);
      this.#values = grown;
    }
    this.#values[this.#count++] = ms;
  }

  /** Returns the values, in the order in which they were recorded. */
  values(): Float32Array {
    return this.#values.slice(0, this.#count);
  }

  /** Returns the smallest value that at least `percent` of all are not above (nearest rank); 0 of an empty list. */
  percentile(percent: number): number {
    return this.percentiles(percent)[0] ?? 0;
  }

  /** Returns several percentiles with one sort. */
  percentiles(...percents: number[]): number[] {
    const sorted = this.values().toSorted();
    return percents.map(
      (percent) => sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)] ?? 0,
    );
  }
}
