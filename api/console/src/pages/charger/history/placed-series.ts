import { joinedSteps } from './reading-steps.ts';

/** Values of one series at its own times, or null. Times in seconds, ascending. */
export interface OwnSeries {
  times: readonly number[];
  /** Width of a value in seconds. */
  bucketSeconds: number;
  columns: readonly (readonly (number | null)[])[];
}

/** Values at the times of all series: null is a gap, undefined a time of other series that the line passes. */
export type Placed = (number | null | undefined)[];

/** Series at common times, in the order in which they were given. */
export interface PlacedSeries {
  times: number[];
  series: Placed[][];
}

/** Places series on the union of their times, with a gap between values that are not joined. */
export function placeSeries(all: readonly OwnSeries[]): PlacedSeries {
  const own = all.map(({ times, bucketSeconds, columns }) => {
    const present: number[] = [];
    for (let index = 0; index < times.length; index += 1) {
      if ((columns[0]?.[index] ?? null) !== null) present.push(index);
    }
    const at = present.map((index) => times[index] ?? 0);
    return { at, present, columns, bucketSeconds, isJoined: joinedSteps(at, bucketSeconds) };
  });
  const times = unionOf(
    own.flatMap(({ at, isJoined, bucketSeconds }) => [at, ends(at, isJoined, bucketSeconds)]),
  );
  return {
    times,
    series: own.map(({ at, present, columns, isJoined }) => {
      const positions = positionsOf(times, at, isJoined);
      return columns.map((column) =>
        positions.map((position) =>
          typeof position === 'number' ? (column[present[position] ?? -1] ?? null) : position,
        ),
      );
    }),
  };
}

/** Returns the ends of the values after which the line breaks off. */
function ends(times: readonly number[], isJoined: readonly boolean[], bucketSeconds: number): number[] {
  return times.filter((_, index) => isJoined[index] !== true).map((time) => time + bucketSeconds);
}

function unionOf(lists: readonly (readonly number[])[]): number[] {
  return [...new Set(lists.flat())].toSorted((a, b) => a - b);
}

/** Returns for each time the index of the own value, undefined between two that are joined, else null. */
function positionsOf(
  times: readonly number[],
  own: readonly number[],
  isJoined: readonly boolean[],
): (number | null | undefined)[] {
  let next = 0;
  return times.map((time) => {
    if (own[next] === time) {
      next += 1;
      return next - 1;
    }
    return isJoined[next - 1] === true ? undefined : null;
  });
}
