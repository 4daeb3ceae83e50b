/** Longest range of a series in ms: ten years. */
export const maxSeriesMs = 10 * 366 * 24 * 60 * 60_000;

/** Bounds of the number of buckets of a series. */
export const seriesPoints = { least: 10, most: 2000, usual: 1000 } as const;

const quarterMs = 15 * 60_000;

/** Steps in ms of the widths of buckets from a quarter of an hour on. */
const steps = [quarterMs, 2 * 60 * 60_000];

/** Narrower widths in ms: divisors of a minute and of an hour, so that a chart states round times. */
const narrow = [
  ...[1, 2, 3, 4, 5, 6, 10, 12, 15, 20, 30].map((seconds) => seconds * 1000),
  ...[1, 2, 3, 4, 5, 6, 10, 12].map((minutes) => minutes * 60_000),
];

/**
 * Returns the width in ms of the buckets of a range, of which at most `points` cover it. Buckets begin at multiples of the width, so
 * that the same bucket has the same readings in each range.
 */
export function bucketWidthMs(range: { from: number; to: number }, points: number): number {
  // One bucket more than fits into the range may begin before it.
  const least = (range.to - range.from) / (points - 1);
  const step = steps.findLast((ms) => least >= ms) ?? quarterMs;
  return narrow.find((ms) => ms >= least) ?? Math.ceil(least / step) * step;
}
