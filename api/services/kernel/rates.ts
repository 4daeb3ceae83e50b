import { BusUnavailableError } from '#shared/bus/contract.ts';
import { DomainError } from '#shared/domain/kernel/errors.ts';
import { placeOf } from '#shared/domain/access/addresses.ts';
import type { ServiceDeps } from './deps.ts';

type RateDeps = Pick<ServiceDeps, 'bus'>;

/** State of a counter within its window. */
export interface Rate {
  limit: number;
  remaining: number;
  /** Seconds until the window ends. */
  resetSeconds: number;
  isExceeded: boolean;
}

/** Limit of events within a window, which begins with the first. */
export interface RateLimit {
  limit: number;
  windowMs: number;
}

const hourMs = 3_600_000;

/** Requests of one address with one publishable key within an hour: many drivers may share the address of a carrier. */
export const ratePerAddress = 3600;

/**
 * Counts one for `key`, over all processes.
 * @throws {BusUnavailableError} when the bus is unreachable.
 */
export async function countRate(
  { bus }: RateDeps,
  key: string,
  { limit, windowMs }: RateLimit,
): Promise<Rate> {
  const { count, resetInMs } = await bus.count(key, windowMs);
  return {
    limit,
    remaining: Math.max(0, limit - count),
    resetSeconds: Math.max(1, Math.ceil(resetInMs / 1000)),
    isExceeded: count > limit,
  };
}

/** @throws {DomainError} RATE_LIMITED when there was one too many. */
export function requireWithin({ limit, resetSeconds, isExceeded }: Rate, what: string): void {
  if (!isExceeded) return;
  throw new DomainError('RATE_LIMITED', `Too many ${what}: try again in ${resetSeconds} s.`, {
    limit,
    retryAfterSeconds: resetSeconds,
  });
}

/** Caller and its limit of requests within an hour. Null: unlimited. */
export interface LimitedCaller {
  kind: 'key' | 'operator' | 'driver' | 'partner';
  id: number;
  rateLimitPerHour: number | null;
  /** Client address that is counted by itself too, for a publishable key. Null: not counted. */
  address: string | null;
}

/**
 * Counts a request of a caller with a limit; null: it has none. While the bus is unreachable nothing is
 * counted and `unreachable` is returned: the limit protects against sustained load, so a short gap does no
 * harm.
 */
export async function countRequest(
  deps: RateDeps,
  { kind, id, rateLimitPerHour, address }: LimitedCaller,
): Promise<Rate | 'unreachable' | null> {
  if (rateLimitPerHour === null) return null;
  try {
    const own =
      address === null
        ? null
        : await countRate(deps, `${kind}:${id}:${placeOf(address)}`, {
            limit: Math.min(ratePerAddress, rateLimitPerHour),
            windowMs: hourMs,
          });
    // A refused address does not use up the key.
    if (own?.isExceeded === true) return own;
    const all = await countRate(deps, `${kind}:${id}`, { limit: rateLimitPerHour, windowMs: hourMs });
    return own !== null && own.remaining < all.remaining ? own : all;
  } catch (error) {
    if (error instanceof BusUnavailableError) return 'unreachable';
    throw error;
  }
}
