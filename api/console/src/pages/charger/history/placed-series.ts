/** Values of one series at its own times, or null. Times in seconds, ascending. */
export interface OwnSeries {
  times: readonly number[];
  columns: readonly (readonly (number | null)[])[];
}

/** Values at the times of all series: null is a gap, undefined a time of other series that the line passes. */
export type Placed = (number | null | undefined)[];

/** Series at common times, in the order in which they were given. */
export interface PlacedSeries {
  times: number[];
  series: Placed[][];
}

/**
 * Places series on the union of their times. A series has a gap where two of its values are further apart than a bucket and three
 * times its usual step, so that a slow charger in a short range is a line, unlike an outage in a long range.
 */
export function placeSeries(all: readonly OwnSeries[], bucketSeconds: number): PlacedSeries {
  const own = all.map(({ times, columns }) => {
    const present: number[] = [];
    for (let index = 0; index < times.length; index += 1) {
      if ((columns[0]?.[index] ?? null) !== null) present.push(index);
    }
    const at = present.map((index) => times[index] ?? 0);
    return { at, present, columns, limit: gapLimit(at, bucketSeconds) };
  });
  const times = unionOf(own.flatMap(({ at, limit }) => [at, gapMarks(at, limit, bucketSeconds)]));
  return {
    times,
    series: own.map(({ at, present, columns, limit }) => {
      const positions = positionsOf(times, at, limit);
      return columns.map((column) =>
        positions.map((position) =>
          typeof position === 'number' ? (column[present[position] ?? -1] ?? null) : position,
        ),
      );
    }),
  };
}

/** Longest distance of two values between which a line is drawn. */
function gapLimit(times: readonly number[], bucketSeconds: number): number {
  const steps = times.slice(1).map((time, index) => time - (times[index] ?? 0));
  const usual = steps.toSorted((a, b) => a - b)[Math.floor(steps.length / 2)] ?? 0;
  return Math.max(bucketSeconds * 1.5, usual * 3);
}

function gapMarks(times: readonly number[], limit: number, bucketSeconds: number): number[] {
  const marks: number[] = [];
  for (let index = 1; index < times.length; index += 1) {
    const before = times[index - 1] ?? 0;
    if ((times[index] ?? 0) - before > limit) marks.push(before + bucketSeconds);
  }
  return marks;
}

function unionOf(lists: readonly (readonly number[])[]): number[] {
  return [...new Set(lists.flat())].toSorted((a, b) => a - b);
}

/** Returns for each time the index of the own value, undefined between two that are connected, else null. */
function positionsOf(
  times: readonly number[],
  own: readonly number[],
  limit: number,
): (number | null | undefined)[] {
  let next = 0;
  return times.map((time) => {
    if (own[next] === time) {
      next += 1;
      return next - 1;
    }
    const before = own[next - 1];
    const after = own[next];
    return before !== undefined && after !== undefined && after - before <= limit ? undefined : null;
  });
}
