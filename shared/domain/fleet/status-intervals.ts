/** State that held from a time until another, in ms since 1970. */
export interface StateInterval<State> {
  state: State;
  from: number;
  to: number;
  /** Changes of state within it that are not listed: 0, unless narrower intervals were merged. */
  changes: number;
}

/** State that begins at a time, in ms since 1970. */
export interface StateChange<State> {
  at: number;
  state: State;
}

/**
 * Returns the intervals of a range between changes in order of time. A change before the range counts as its beginning, the time
 * before the first change has no interval, and a change to the same state does not count.
 */
export function intervalsOf<State>(
  changes: readonly StateChange<State>[],
  range: { from: number; to: number },
  isSame: (one: State, other: State) => boolean,
): StateInterval<State>[] {
  const intervals: StateInterval<State>[] = [];
  for (const { at, state } of changes) {
    const from = Math.max(at, range.from);
    if (from >= range.to) break;
    const last = intervals.at(-1);
    if (last !== undefined && isSame(last.state, state)) continue;
    if (last !== undefined) last.to = from;
    if (last?.to === last?.from) intervals.pop();
    intervals.push({ state, from, to: range.to, changes: 0 });
  }
  return intervals;
}

/**
 * Returns at most about twice `points` intervals. Of consecutive intervals that are narrower than a bucket those of one bucket are
 * merged to the state that held longest.
 */
export function mergeNarrow<State>(
  intervals: readonly StateInterval<State>[],
  range: { from: number; to: number },
  points: number,
  isSame: (one: State, other: State) => boolean,
): readonly StateInterval<State>[] {
  if (intervals.length <= points) return intervals;
  const width = (range.to - range.from) / points;
  const merged: StateInterval<State>[] = [];
  let group: StateInterval<State>[] = [];
  const add = (interval: StateInterval<State>) => {
    const last = merged.at(-1);
    if (last === undefined || last.to !== interval.from || !isSame(last.state, interval.state)) {
      merged.push({ ...interval });
      return;
    }
    last.to = interval.to;
    last.changes += interval.changes;
  };
  const close = () => {
    if (group.length > 0) add(longestOf(group, isSame));
    group = [];
  };
  for (const interval of intervals) {
    if (interval.to - interval.from >= width) {
      close();
      add(interval);
      continue;
    }
    group.push(interval);
    if (interval.to - (group[0]?.from ?? interval.from) >= width) close();
  }
  close();
  return merged;
}

/** Merges consecutive intervals to the state that held longest in all. */
function longestOf<State>(
  group: readonly StateInterval<State>[],
  isSame: (one: State, other: State) => boolean,
): StateInterval<State> {
  const sums: { state: State; ms: number }[] = [];
  let changes = group.length - 1;
  for (const { state, from, to, changes: inner } of group) {
    changes += inner;
    const sum = sums.find((one) => isSame(one.state, state));
    if (sum === undefined) sums.push({ state, ms: to - from });
    else sum.ms += to - from;
  }
  const [first] = sums.toSorted((one, other) => other.ms - one.ms);
  const [begin, end] = [group[0], group.at(-1)];
  if (first === undefined || begin === undefined || end === undefined) throw new Error('an empty group');
  return { state: first.state, from: begin.from, to: end.to, changes };
}
