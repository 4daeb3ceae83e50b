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
  /** Values to show next to the title, where the line stands at others: those of a band on top of others. */
  shown?: Values;
  /** Writes a value with its unit. Left out: a number and the unit. */
  format?: (value: number) => string;
}

/** Returns the value at an index, or that before it where the line passes. */
export function valueAt(values: Values, index: number): number | null {
  for (let at = index; at >= 0; at -= 1) {
    const value = values[at];
    if (value !== undefined) return value;
  }
  return null;
}

export interface TimeRange {
  /** Times in seconds. */
  from: number;
  to: number;
}

/** Returns the value of a custom property of the theme. */
export function themeColor(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
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
