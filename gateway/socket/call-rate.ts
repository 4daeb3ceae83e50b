/** Rate at which the calls of one charger are served. */
export interface CallRate {
  /** Time in ms that each call takes up. */
  intervalMs: number;
  /** Time in ms that calls may take up in advance: what an outage left behind is served at once. */
  burstMs: number;
}

/** Seconds at the full rate that a charger may use up at once. */
const burstSeconds = 10;

export function callRateOf(perSecond: number): CallRate {
  return { intervalMs: 1000 / perSecond, burstMs: burstSeconds * 1000 };
}

/** Returns the time up to which the rate is used up after one more message. @param usedUntil the same before it. */
export function usedAfter({ intervalMs, burstMs }: CallRate, usedUntil: number, now: number): number {
  return Math.max(usedUntil, now - burstMs) + intervalMs;
}
