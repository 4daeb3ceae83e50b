/** Line through measured points. */
export interface Line {
  slope: number;
  intercept: number;
}

/** Fits a line by least squares. One point gives a line through zero. */
export function fitLine(points: readonly (readonly [x: number, y: number])[]): Line {
  const count = points.length;
  const meanX = points.reduce((sum, [x]) => sum + x, 0) / count;
  const meanY = points.reduce((sum, [, y]) => sum + y, 0) / count;
  const variance = points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
  if (variance === 0) return { slope: meanX === 0 ? 0 : meanY / meanX, intercept: 0 };
  const slope = points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0) / variance;
  return { slope, intercept: meanY - slope * meanX };
}
