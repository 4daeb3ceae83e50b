import type { Backoff } from '#shared/domain/kernel/backoff.ts';
import type { BreakerPolicy } from '#shared/domain/kernel/circuit-breaker.ts';
import type { OcpiModule } from './ocpi.ts';

/** Objects pushed to partners. Referenced objects come before those that refer to them. */
export const pushedObjects = ['tariff', 'location', 'evse', 'session', 'cdr'] as const;
export type PushedObject = (typeof pushedObjects)[number];

/** The module whose receiver takes an object. */
export const moduleOfObject = {
  tariff: 'tariffs',
  location: 'locations',
  evse: 'locations',
  session: 'sessions',
  cdr: 'cdrs',
} as const satisfies Record<PushedObject, OcpiModule>;

/** The modules that are pushed. */
export const pushedModules = ['tariffs', 'locations', 'sessions', 'cdrs'] as const;
export type PushedModule = (typeof pushedModules)[number];

/** Rate, duration and interval of pushes to partners. Times in ms. */
export interface PushPolicy extends BreakerPolicy {
  /**
   * Interval between searches for changes in each process. A notification of PostgreSQL starts a search
   * earlier.
   */
  everyMs: number;
  /** Requests to one partner: each second, over all processes; at once after a pause; side by side in one process. */
  perSecond: number;
  burst: number;
  sideBySide: number;
  timeoutMs: number;
  /** Time after which the pushes of a dead process are claimed by another: longer than any request. */
  claimMs: number;
  /** Between two tries of one object. */
  retry: Backoff;
  /** Number of refusals after which an object is set aside; a CDR never is. */
  maxRefusals: number;
  /** Time between two tries of an object that is set aside. */
  setAsideMs: number;
}

export const pushPolicy: PushPolicy = {
  everyMs: 1000,
  perSecond: 50,
  burst: 50,
  sideBySide: 8,
  timeoutMs: 10_000,
  claimMs: 60_000,
  failuresToOpen: 5,
  open: { firstMs: 5000, longestMs: 5 * 60_000 },
  retry: { firstMs: 5000, longestMs: 15 * 60_000 },
  maxRefusals: 10,
  setAsideMs: 6 * 60 * 60_000,
};
