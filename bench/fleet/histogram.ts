/** Buckets per doubling: a percentile is off by at most 2.2 %. */
const perOctave = 32;
const buckets = 32 * perOctave;

/** Counts of durations in buckets that grow with the duration, from 1 µs to an hour; recording allocates nothing. */
export class LatencyHistogram {
  readonly #counts = new Float64Array(buckets);
  #count = 0;
  #sumMs = 0;
  #maxMs = 0;

  record(ms: number): void {
    const bucket = Math.min(buckets - 1, Math.max(0, Math.floor(Math.log2(ms * 1000) * perOctave)));
    this.#counts[bucket] = (this.#counts[bucket] ?? 0) + 1;
    this.#count++;
    this.#sumMs += ms;
    if (ms > this.#maxMs) this.#maxMs = ms;
  }

  get count(): number {
    return this.#count;
  }

  get maxMs(): number {
    return this.#maxMs;
  }

  get meanMs(): number {
    return this.#count === 0 ? 0 : this.#sumMs / this.#count;
  }

  /** The duration in ms that `percent` % of all do not exceed; 0 when nothing was recorded. */
  percentile(percent: number): number {
    const wanted = (this.#count * percent) / 100;
    let seen = 0;
    for (let bucket = 0; bucket < buckets; bucket++) {
      seen += this.#counts[bucket] ?? 0;
      if (seen >= wanted && seen > 0) return Math.min(2 ** ((bucket + 1) / perOctave) / 1000, this.#maxMs);
    }
    return this.#maxMs;
  }

  /** Adds what another histogram has counted. */
  add(other: LatencyHistogram): void {
    for (let bucket = 0; bucket < buckets; bucket++) {
      this.#counts[bucket] = (this.#counts[bucket] ?? 0) + (other.#counts[bucket] ?? 0);
    }
    this.#count += other.#count;
    this.#sumMs += other.#sumMs;
    this.#maxMs = Math.max(this.#maxMs, other.#maxMs);
  }
}
