const steps = [2 * 3600, 15 * 60];

/** Returns about the width in seconds that the API gives a bucket: whole seconds, quarter hours or two hours. */
export function bucketWidthSeconds(rangeSeconds: number, points: number): number {
  const least = rangeSeconds / Math.max(1, points - 1);
  const step = steps.find((seconds) => least >= seconds) ?? 1;
  return Math.ceil(least / step) * step;
}
