import type { IdlePeriod } from '#shared/domain/idle.ts';

/** What a session measured at one instant. */
export interface UsageReading {
  at: Date;
  /** Charged since the start, in Wh. */
  energyWh: number;
  /** A, summed over the phases; null: not measured. */
  currentA: number | null;
}

/** What a session used. */
export interface SessionUsage {
  startedAt: Date;
  /** The end, or until when it is priced. */
  endedAt: Date;
  energyWh: number;
  idlePeriods: readonly IdlePeriod[];
  /** In between, in order of time; none: energy is taken to have flowed evenly. */
  readings: readonly UsageReading[];
}

/**
 * Charging is what is not known to be idle. Held: the charger itself held back (SuspendedEVSE), and the driver does not
 * answer for that time.
 */
export type Activity = 'charging' | 'parking' | 'held';

/** A stretch of a session in which nothing changes but time and energy; times in ms, energy in mWh since the start. */
export interface Stretch {
  from: number;
  to: number;
  fromMwh: number;
  toMwh: number;
  /** Of the interval between two readings that it lies in; null: the interval has no length. */
  powerKw: number | null;
  currentA: number | null;
  activity: Activity;
}

/** Where a session is cut besides: instants in ms, energies since the start in mWh. */
export interface Cuts {
  instants: readonly number[];
  energies: readonly number[];
}

/** Cuts a session at the readings, where charging and idling change, and at what else is asked for. */
export function stretchesOf(usage: SessionUsage, { instants, energies }: Cuts): Stretch[] {
  const periods = usage.idlePeriods.map(({ from, to, cause }) => ({
    from: from.getTime(),
    to: to.getTime(),
    activity: cause === 'SuspendedEVSE' ? ('held' as const) : ('parking' as const),
  }));
  const borders = periods.flatMap(({ from, to }) => [from, to]);
  const cuts = { instants: inOrder([...instants, ...borders]), energies: inOrder(energies) };
  return intervals(usage)
    .flatMap((interval) => cut(interval, cuts))
    .map((stretch) => {
      // A stretch without length at the end of a period belongs to it.
      const period = periods.find(({ from, to }) => from <= stretch.from && stretch.to <= to);
      return { ...stretch, activity: period?.activity ?? 'charging' };
    });
}

/** The intervals between readings. Energy never falls, and in the end it is what the session used. */
function intervals({ startedAt, endedAt, energyWh, readings }: SessionUsage): Stretch[] {
  const start = startedAt.getTime();
  const end = Math.max(start, endedAt.getTime());
  const totalMwh = toMwh(energyWh);
  const inside = readings.filter(({ at }) => at.getTime() > start && at.getTime() < end);
  const points = inside.map((reading) => ({ ...reading, at: reading.at.getTime() }));
  const found: Stretch[] = [];
  let before = { at: start, mwh: 0 };
  // What a meter shows holds until it shows another value; before the first one, that one.
  let currentA = points.find((point) => point.currentA !== null)?.currentA ?? null;
  for (const point of [...points, { at: end, energyWh, currentA: null }]) {
    const mwh = point.at === end ? totalMwh : Math.min(totalMwh, Math.max(before.mwh, toMwh(point.energyWh)));
    const hours = (point.at - before.at) / 3_600_000;
    found.push({
      from: before.at,
      to: point.at,
      fromMwh: before.mwh,
      toMwh: mwh,
      powerKw: hours > 0 ? (mwh - before.mwh) / 1_000_000 / hours : null,
      currentA,
      activity: 'charging',
    });
    before = { at: point.at, mwh };
    currentA = point.currentA ?? currentA;
  }
  return found;
}

/**
 * Cuts the interval between two readings. Each cut is interpolated between the readings themselves, to the mWh and to
 * the millisecond: from cuts that are rounded already, others would come out differently.
 */
function cut(interval: Stretch, { instants, energies }: Cuts): Stretch[] {
  const { from, to, fromMwh, toMwh } = interval;
  const [time, energy] = [to - from, toMwh - fromMwh];
  const times = between(instants, from, to);
  const levels = between(energies, fromMwh, toMwh);
  if (times.length + levels.length === 0) return [interval];
  const cuts = [
    ...times.map((at) => ({ at, mwh: fromMwh + Math.round((energy * (at - from)) / time) })),
    ...levels.map((mwh) => ({ at: from + Math.round((time * (mwh - fromMwh)) / energy), mwh })),
  ].toSorted((a, b) => a.at - b.at || a.mwh - b.mwh);
  const points = [{ at: from, mwh: fromMwh }, ...cuts, { at: to, mwh: toMwh }];
  return points
    .slice(1)
    .map(({ at, mwh }, index) => {
      const start = points[index] ?? { at: from, mwh: fromMwh };
      return { ...interval, from: start.at, fromMwh: start.mwh, to: at, toMwh: mwh };
    })
    .filter((stretch) => stretch.from < stretch.to || stretch.fromMwh < stretch.toMwh);
}

function inOrder(numbers: readonly number[]): number[] {
  return numbers.toSorted((a, b) => a - b);
}

/** Those of numbers in order that lie between two others; found by halving, since every interval asks for them. */
function between(sorted: readonly number[], from: number, to: number): number[] {
  const first = countBelow(sorted, from);
  const last = countBelow(sorted, to);
  return first === last ? [] : sorted.slice(first, last).filter((number) => number > from);
}

function countBelow(sorted: readonly number[], bound: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? bound) < bound) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Wh as whole mWh: no meter resolves less. */
function toMwh(energyWh: number): number {
  return Math.max(0, Math.round(energyWh * 1000));
}
