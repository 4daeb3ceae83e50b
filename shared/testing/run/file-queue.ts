import { type Durations, expectedSeconds } from './durations.ts';
import { type Kind, kindOf } from './test-files.ts';

/** Files of at least this duration, in seconds, run before shorter ones, so that no worker waits for the last one. */
const slowSeconds = 8;

/** Kind of files that one worker runs while there are others: a second one builds the console, and starts a product and a browser. */
const kindOfOneWorker: Kind = 'console';

/**
 * Queue of test files, one list per kind. A worker stays with a kind while it has files, because it keeps a browser, a gateway or
 * an application for it.
 */
export class FileQueue {
  readonly #lists = new Map<Kind, string[]>();
  readonly #workersOf = new Map<Kind, number>();
  readonly #durations: Durations;

  constructor(files: readonly string[], durations: Durations, seed: number) {
    this.#durations = durations;
    const ordered = shuffle(files, seed);
    const slow = ordered
      .filter((file) => this.#seconds(file) >= slowSeconds)
      .toSorted((one, other) => this.#seconds(other) - this.#seconds(one));
    for (const file of new Set([...slow, ...ordered])) {
      const list = this.#lists.get(kindOf(file)) ?? [];
      list.push(file);
      this.#lists.set(kindOf(file), list);
    }
  }

  /** Takes the next file for a worker that has run files of `kind`; null when none is left. */
  take(kind: Kind | null): string | null {
    const next = kind !== null && this.#hasFiles(kind) ? kind : this.#largestKind();
    if (next !== kind) {
      if (kind !== null) this.#count(kind, -1);
      if (next !== null) this.#count(next, 1);
    }
    return next === null ? null : (this.#lists.get(next)?.shift() ?? null);
  }

  /** Returns the kind with the most seconds per worker, counting the worker that asks. */
  #largestKind(): Kind | null {
    const shares = [...this.#lists.keys()]
      .filter((kind) => this.#hasFiles(kind))
      .map((kind) => ({ kind, share: this.#share(kind) }));
    return shares.toSorted((one, other) => other.share - one.share)[0]?.kind ?? null;
  }

  #hasFiles(kind: Kind): boolean {
    return (this.#lists.get(kind) ?? []).length > 0;
  }

  #share(kind: Kind): number {
    const workers = this.#workers(kind);
    return kind === kindOfOneWorker && workers > 0 ? 0 : this.#left(kind) / (workers + 1);
  }

  #left(kind: Kind): number {
    return (this.#lists.get(kind) ?? []).reduce((sum, file) => sum + this.#seconds(file), 0);
  }

  #seconds(file: string): number {
    return expectedSeconds(file, this.#durations);
  }

  #workers(kind: Kind): number {
    return this.#workersOf.get(kind) ?? 0;
  }

  #count(kind: Kind, change: number): void {
    this.#workersOf.set(kind, this.#workers(kind) + change);
  }
}

/** Returns the files in an order that the seed determines (Fisher-Yates with mulberry32). */
function shuffle(files: readonly string[], seed: number): string[] {
  const shuffled = [...files];
  let state = seed >>> 0;
  const random = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  for (let last = shuffled.length - 1; last > 0; last -= 1) {
    const other = Math.floor(random() * (last + 1));
    [shuffled[last], shuffled[other]] = [shuffled[other] ?? '', shuffled[last] ?? ''];
  }
  return shuffled;
}
