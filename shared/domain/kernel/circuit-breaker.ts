import { type Backoff, backoffMs } from './backoff.ts';

/** Counts of a circuit breaker, which processes share in a store. */
export interface BreakerCounts {
  /** Failures in a row. */
  failures: number;
  /** Number of openings since the last success: each pause is longer. */
  opened: number;
}

/** Failures in a row that open a circuit breaker, and its pauses. */
export interface BreakerPolicy {
  failuresToOpen: number;
  open: Backoff;
}

/** Returns true when a breaker opened and no success closed it: the next request is a probe. */
export function isTripped({ failures }: Pick<BreakerCounts, 'failures'>, policy: BreakerPolicy): boolean {
  return failures >= policy.failuresToOpen;
}

/**
 * Returns the counts after a failure, and the pause that it begins (ms); null: none.
 * @param isOpen true while an earlier failure's pause lasts: of requests side by side, the first begins it.
 */
export function afterFailure(
  { failures, opened }: BreakerCounts,
  policy: BreakerPolicy,
  { isProbe, isOpen }: { isProbe: boolean; isOpen: boolean },
): BreakerCounts & { pauseMs: number | null } {
  const counted = failures + 1;
  const opens = isProbe || (counted >= policy.failuresToOpen && !isOpen);
  if (!opens) return { failures: counted, opened, pauseMs: null };
  return { failures: counted, opened: opened + 1, pauseMs: backoffMs(policy.open, opened) };
}
