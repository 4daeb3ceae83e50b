/** Pauses between tries: the first one, doubled each time, up to the longest. In ms. */
export interface Backoff {
  firstMs: number;
  longestMs: number;
}

/** Returns a pause with jitter: between half of it and the whole. */
export function jittered(ms: number, random: () => number = Math.random): number {
  return ms * (0.5 + random() / 2);
}

/**
 * Returns the pause before the next try, with jitter.
 * @param earlier number of pauses before this one.
 */
export function backoffMs({ firstMs, longestMs }: Backoff, earlier: number, random?: () => number): number {
  return jittered(Math.min(longestMs, firstMs * 2 ** Math.min(earlier, 30)), random);
}
