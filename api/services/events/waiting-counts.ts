import { replayPrefix } from '#shared/domain/events/webhook.ts';

/** Numbers of events that wait for an endpoint, by key. */
export class WaitingCounts {
  readonly #byKey: Map<string, number>;
  #total = 0;

  constructor(byKey: Map<string, number>) {
    this.#byKey = byKey;
    for (const [key, count] of byKey) if (isOrdered(key)) this.#total += count;
  }

  /** Number of events without those that are replayed alongside the order. */
  get total(): number {
    return this.#total;
  }

  get isEmpty(): boolean {
    return this.#byKey.size === 0;
  }

  has(key: string): boolean {
    return this.#byKey.has(key);
  }

  add(key: string): void {
    this.#byKey.set(key, (this.#byKey.get(key) ?? 0) + 1);
    if (isOrdered(key)) this.#total += 1;
  }

  /** @param isLast true when no event of the key waits any more. */
  remove(key: string, isLast: boolean): void {
    const count = this.#byKey.get(key) ?? 1;
    const left = isLast ? 0 : Math.max(1, count - 1);
    if (left === 0) this.#byKey.delete(key);
    else this.#byKey.set(key, left);
    if (isOrdered(key)) this.#total = Math.max(0, this.#total - (count - left));
  }
}

function isOrdered(key: string): boolean {
  return !key.startsWith(replayPrefix);
}
