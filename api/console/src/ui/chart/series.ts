/** Values by time. Null is a gap; undefined is a time of other lines, which this one passes. */
export type Values = readonly (number | null | undefined)[];

/** One line of a chart: a value for each time. */
export interface Series {
  id: string;
  title: string;
  /** Unit of the values, shown next to them. */
  unit: string;
  /** Colour: a custom property of the theme. */
  color: `--${string}`;
  mean: Values;
  /** Bounds of the values that a point stands for, drawn as a band. */
  minimum?: Values;
  maximum?: Values;
  /** Values to show next to the title, where its line is drawn at other values: a band on top of others. */
  shown?: Values;
  /** Writes a value with its unit. Left out: a number and the unit. */
  format?: (value: number) => string;
}

/** Time at the cursor, and the distance at which the cursor is at a value; in seconds. */
export interface Cursor {
  time: number;
  nearSeconds: number;
}

/**
 * Returns the value that is drawn at the cursor: of a step the value that began before it, of a line the nearer of the two values that
 * it joins. Null in a gap, unless a value is near.
 * @param times times of the values in seconds, ascending
 */
export function valueAt(
  times: readonly number[],
  values: Values,
  { time, nearSeconds }: Cursor,
  isStepped: boolean,
): number | null {
  const after = times.findIndex((at) => at > time);
  const end = after === -1 ? times.length : after;
  const before = values.findLastIndex((value, index) => index < end && value !== undefined);
  const next = values.findIndex((value, index) => index >= end && value !== undefined);
  const [left = null, right = null] = [values[before], values[next]];
  if (isStepped && left !== null) return left;
  if (left === null && right === null) return null;
  const leftDistance = left === null ? Infinity : time - (times[before] ?? 0);
  const rightDistance = right === null ? Infinity : (times[next] ?? 0) - time;
  const isJoined = left !== null && right !== null;
  if (!isJoined && Math.min(leftDistance, rightDistance) > nearSeconds) return null;
  return leftDistance <= rightDistance ? left : right;
}

export interface TimeRange {
  /** Times in seconds. */
  from: number;
  to: number;
}

/** Inserts a null where the times are further apart than a bucket, so that a gap stays a gap. */
export function withGaps(
  times: readonly number[],
  series: readonly Series[],
  bucketSeconds: number,
): { times: number[]; series: Series[] } {
  const at: number[] = [];
  const from: (number | null)[] = [];
  for (const [index, time] of times.entries()) {
    const before = times[index - 1];
    if (before !== undefined && time - before > bucketSeconds * 1.5) {
      at.push(before + bucketSeconds);
      from.push(null);
    }
    at.push(time);
    from.push(index);
  }
  const pick = (values: Values) => from.map((index) => (index === null ? null : values[index]));
  return {
    times: at,
    series: series.map(({ mean, minimum, maximum, shown, ...rest }) => ({
      ...rest,
      mean: pick(mean),
      ...(shown === undefined ? {} : { shown: pick(shown) }),
      ...(minimum === undefined ? {} : { minimum: pick(minimum) }),
      ...(maximum === undefined ? {} : { maximum: pick(maximum) }),
    })),
  };
}
