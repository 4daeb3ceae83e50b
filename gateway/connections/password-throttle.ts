import { LRUCache } from 'lru-cache';
import type { UpgradeRequest } from '#gateway/socket/server.ts';

/** Wrong passwords that are checked at once, and the time in ms after which one more is. */
interface Allowance {
  burst: number;
  everyMs: number;
}

/**
 * Of an identity at one address. Another address has attempts of its own, so that wrong passwords from elsewhere do not lock a
 * charger out.
 */
const ofIdentity: Allowance = { burst: 10, everyMs: 10_000 };

/** Of all identities at one address, which the chargers of a site, of a mobile operator or behind a proxy share. */
const ofAddress: Allowance = { burst: 200, everyMs: 100 };

/** Maximum number of identities and addresses that are remembered, about 100 bytes each. */
const maxKeys = 20_000;

/** Throttles wrong passwords: after a burst they are checked at a slow rate, and other handshakes of the key are refused. */
export class PasswordThrottle {
  readonly #now: () => number;
  /** Time up to which the allowance of a key is used up, in ms of the clock. */
  readonly #usedUntil = new LRUCache<string, number>({ max: maxKeys });

  /** @param now returns the time in ms of a steady clock. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Returns the seconds until a password is checked again; 0: it is checked now. */
  retryAfter(request: UpgradeRequest): number {
    if (this.#usedUntil.size === 0) return 0;
    const waits = allowances(request).map(([key, { burst, everyMs }]) => {
      const usedUntil = this.#usedUntil.get(key) ?? 0;
      return usedUntil - this.#now() - (burst - 1) * everyMs;
    });
    return Math.max(0, Math.ceil(Math.max(...waits) / 1000));
  }

  /** Counts a wrong password. */
  failed(request: UpgradeRequest): void {
    const now = this.#now();
    for (const [key, { everyMs }] of allowances(request)) {
      this.#usedUntil.set(key, Math.max(this.#usedUntil.get(key) ?? 0, now) + everyMs);
    }
  }
}

function allowances({ uid, transport: { remoteAddress } }: UpgradeRequest): [key: string, Allowance][] {
  return [
    [`${remoteAddress} ${uid}`, ofIdentity],
    [remoteAddress, ofAddress],
  ];
}
