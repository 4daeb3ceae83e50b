import type { IdlePeriod } from '#shared/domain/charging/idle.ts';
import { indexAt } from '#shared/domain/kernel/intervals.ts';
import type { ReservationUsage } from './reservation.ts';

/** Measurement of a session at one instant. */
export interface UsageReading {
  at: Date;
  /** Charged since the start, in Wh; null: not measured. */
  energyWh: number | null;
  /** A, summed over the phases; null: not measured. */
  currentA: number | null;
}

/** Usage of a session. */
export interface SessionUsage {
  startedAt: Date;
  /** The end, or until when it is priced. */
  endedAt: Date;
  energyWh: number;
  idlePeriods: readonly IdlePeriod[];
  /**
   * Measurements in order of time; without energy values, energy is assumed to flow evenly while the session charges.
   */
  readings: readonly UsageReading[];
  /** Absent: the session began without a priced reservation. */
  reservation?: ReservationUsage;
}

/**
 * Charging is what is not known to be idle. Held: the charger itself held back (SuspendedEVSE), and the driver does not
 * answer for that time.
 */
export type Activity = 'charging' | 'parking' | 'held';

/** A part of a session through which energy is taken to flow evenly; times in ms, energy in mWh since the start. */
interface Flow {
  from: number;
  to: number;
  fromMwh: number;
  toMwh: number;
  /** Of the interval between two readings that it lies in; null: the interval has no length. */
  powerKw: number | null;
}

interface ActiveFlow extends Flow {
  activity: Activity;
}

/** A stretch of a session in which nothing changes but time and energy. */
export interface Stretch extends ActiveFlow {
  currentA: number | null;
}

/** Additional borders: instants in ms, energies since the start in mWh. */
interface Cuts {
  instants: readonly number[];
  energies: readonly number[];
}

/** Divides a session at the readings, at changes between charging and idling, and at the requested borders. */
export function stretchesOf(usage: SessionUsage, { instants, energies }: Cuts): Stretch[] {
  const idle = idleTimes(usage);
  const currents = currentsOf(usage.readings);
  const cuts = {
    instants: inOrder([...instants, ...currents.map(({ from }) => from)]),
    energies: inOrder(energies),
  };
  return intervals(usage)
    .flatMap((interval) => tellIdleApart(interval, idle))
    .flatMap((flow) => cut(flow, cuts))
    .map((flow) => {
      // A meter value holds until the next one; the first also holds before it.
      const { currentA = null } = currents[indexAt(currents, flow.from)] ?? currents[0] ?? {};
      return { ...flow, currentA };
    });
}

interface IdleTimes {
  periods: { from: number; to: number; activity: Activity }[];
  /** Borders of the stretches, in order. */
  borders: number[];
}

function idleTimes({ idlePeriods }: SessionUsage): IdleTimes {
  const periods = idlePeriods.map(({ from, to, cause }) => ({
    from: from.getTime(),
    to: to.getTime(),
    activity: cause === 'SuspendedEVSE' ? ('held' as const) : ('parking' as const),
  }));
  return { periods, borders: inOrder([...new Set(periods.flatMap(({ from, to }) => [from, to]))]) };
}

/**
 * Cuts the interval between two readings where charging and idling change. Its energy flowed while it charged; where it
 * did not at all, in all of it.
 */
function tellIdleApart(interval: Flow, { periods, borders }: IdleTimes): ActiveFlow[] {
  const { from, to, fromMwh, toMwh } = interval;
  const starts = [from, ...between(borders, from, to)];
  const parts = starts.map((start, index) => {
    const end = starts[index + 1] ?? to;
    // A part without length at the end of a period belongs to it.
    const period = periods.find((idle) => idle.from <= start && end <= idle.to);
    return { ...interval, from: start, to: end, activity: period?.activity ?? ('charging' as const) };
  });
  if (parts.length === 1) return parts;
  const charges = parts.some(({ activity }) => activity === 'charging');
  const lengths = parts.map((part) => (charges && part.activity !== 'charging' ? 0 : part.to - part.from));
  const total = lengths.reduce((sum, length) => sum + length, 0);
  let flowed = 0;
  let mwh = fromMwh;
  return parts.map((part, index) => {
    const before = mwh;
    flowed += lengths[index] ?? 0;
    mwh = fromMwh + Math.round(((toMwh - fromMwh) * flowed) / total);
    return { ...part, fromMwh: before, toMwh: mwh };
  });
}

/** The currents that were measured, with or without energy, at the start and the end of the session too. */
function currentsOf(readings: readonly UsageReading[]): { from: number; currentA: number }[] {
  return readings.flatMap(({ at, currentA }) =>
    currentA === null ? [] : [{ from: at.getTime(), currentA }],
  );
}

/** The intervals between readings of energy. It never falls, and in the end it is what the session used. */
function intervals({ startedAt, endedAt, energyWh, readings }: SessionUsage): Flow[] {
  const start = startedAt.getTime();
  const end = Math.max(start, endedAt.getTime());
  const totalMwh = toMwh(energyWh);
  const found: Flow[] = [];
  let before = { at: start, mwh: 0 };
  const add = (at: number, mwh: number) => {
    const hours = (at - before.at) / 3_600_000;
    const powerKw = hours > 0 ? (mwh - before.mwh) / 1_000_000 / hours : null;
    found.push({ from: before.at, to: at, fromMwh: before.mwh, toMwh: mwh, powerKw });
    before = { at, mwh };
  };
  for (const reading of readings) {
    const at = reading.at.getTime();
    if (reading.energyWh === null || at <= start || at >= end) continue;
    add(at, Math.min(totalMwh, Math.max(before.mwh, toMwh(reading.energyWh))));
  }
  add(end, totalMwh);
  return found;
}

/**
 * Cuts what lies between two readings. Each cut is interpolated between its ends themselves, to the mWh and to the
 * millisecond: from cuts that are rounded already, others would come out differently.
 */
function cut(interval: ActiveFlow, { instants, energies }: Cuts): ActiveFlow[] {
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
