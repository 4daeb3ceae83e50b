import type { WindowCount } from './contract.ts';

/** The counts of all members of one process. */
export class LocalCounters {
  readonly #windows = new Map<string, { count: number; endsAt: number }>();

  count(key: string, windowMs: number): WindowCount {
    const now = performance.now();
    const standing = this.#windows.get(key);
    const window =
      standing === undefined || standing.endsAt <= now ? { count: 0, endsAt: now + windowMs } : standing;
    window.count += 1;
    this.#windows.set(key, window);
    return { count: window.count, resetInMs: Math.min(windowMs, Math.ceil(window.endsAt - now)) };
  }

  /** Forgets windows that ended. */
  dropEnded(): void {
    const now = performance.now();
    for (const [key, { endsAt }] of this.#windows) if (endsAt <= now) this.#windows.delete(key);
  }
}
