/** A time from `from` until before `to`, in ms since 1970. */
export interface Interval {
  from: number;
  to: number;
}

/** The same times without overlaps, in order; what is empty is left out. */
export function union(intervals: readonly Interval[]): Interval[] {
  const merged: Interval[] = [];
  for (const { from, to } of intervals.filter(isSome).toSorted((a, b) => a.from - b.from)) {
    const last = merged.at(-1);
    if (last === undefined || last.to < from) merged.push({ from, to });
    else last.to = Math.max(last.to, to);
  }
  return merged;
}

/** The times of `intervals` in which nothing of `taken` is, in order and without overlaps. */
export function subtract(intervals: readonly Interval[], taken: readonly Interval[]): Interval[] {
  let left = union(intervals);
  for (const cut of union(taken)) {
    left = left.flatMap(({ from, to }) =>
      [
        { from, to: Math.min(to, cut.from) },
        { from: Math.max(from, cut.to), to },
      ].filter(isSome),
    );
  }
  return left;
}

/**
 * Returns the total duration in ms of the intervals within each bucket. The buckets follow one another
 * without gaps; overlapping intervals count repeatedly.
 */
export function spread(intervals: Iterable<Interval>, buckets: readonly Interval[]): number[] {
  const partial = buckets.map(() => 0);
  // How many intervals cover a bucket wholly: the difference to the bucket before.
  const covering = buckets.map(() => 0);
  for (const interval of intervals) {
    if (!isSome(interval)) continue;
    const first = indexAt(buckets, interval.from);
    const last = indexAt(buckets, interval.to);
    add(partial, first, overlap(interval, buckets[first]));
    if (last > first) add(partial, last, overlap(interval, buckets[last]));
    if (last > first + 1) {
      add(covering, first + 1, 1);
      add(covering, last, -1);
    }
  }
  let covers = 0;
  return buckets.map(({ from, to }, index) => {
    covers += covering[index] ?? 0;
    return (partial[index] ?? 0) + covers * (to - from);
  });
}

/** The last bucket that begins at or before a time; -1: it is before all. */
export function indexAt(buckets: readonly Pick<Interval, 'from'>[], time: number): number {
  let low = 0;
  let high = buckets.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((buckets[middle]?.from ?? 0) <= time) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

function overlap({ from, to }: Interval, bucket: Interval | undefined): number {
  return bucket === undefined ? 0 : Math.max(0, Math.min(to, bucket.to) - Math.max(from, bucket.from));
}

function add(sums: number[], index: number, amount: number): void {
  const sum = sums[index];
  if (sum !== undefined) sums[index] = sum + amount;
}

function isSome({ from, to }: Interval): boolean {
  return from < to;
}
