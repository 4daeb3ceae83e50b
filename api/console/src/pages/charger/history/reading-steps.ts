/** Longest interval in seconds at which chargers send readings. */
const longestInterval = 3600;

const stepsOf = (times: readonly number[]) => times.slice(1).map((time, index) => time - (times[index] ?? 0));

/**
 * Returns for each time except the last whether a line joins it to the next one. A line ends where the next value is further away
 * than one and a half buckets, and than three times the longer of the steps before and after: quarter-hour readings next to dense ones
 * are a line, and an outage is a gap.
 */
export function joinedSteps(times: readonly number[], bucketSeconds: number): boolean[] {
  const steps = stepsOf(times);
  return steps.map((step, index) => {
    const near = Math.max(steps[index - 1] ?? 0, steps[index + 1] ?? 0);
    return steps.length === 1 || step <= Math.max(bucketSeconds * 1.5, near * 3);
  });
}

/** Returns the longest interval of readings in seconds: two steps in a row are at least as long. 0: unknown. */
export function readingInterval(times: readonly number[]): number {
  const steps = stepsOf(times).filter((step) => step <= longestInterval);
  return steps.slice(1).reduce((most, step, index) => Math.max(most, Math.min(step, steps[index] ?? 0)), 0);
}
