/** Longest range of a series in ms: ten years. */
export const maxSeriesMs = 10 * 366 * 24 * 60 * 60_000;

/** Bounds of the number of buckets of a series. */
export const seriesPoints = { least: 10, most: 2000, usual: 1000 } as const;

const secondMs = 1000;

/** Steps in ms of the widths of buckets: narrower buckets are of whole seconds. */
const steps = [15 * 60_000, 2 * 60 * 60_000];

/**
 * Returns the width in ms of the buckets of a range, of which at most `points` cover it. Buckets begin at multiples of the width, so
 * that the same bucket has the same readings in each range.
 */
export function bucketWidthMs(range: { from: number; to: number }, points: number): number {
  // One bucket more than fits into the range may begin before it.
  const least = (range.to - range.from) / (points - 1);
  const step = steps.findLast((ms) => least >= ms) ?? secondMs;
  return Math.max(1, Math.ceil(least / step)) * step;
}
