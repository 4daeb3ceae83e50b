import { burstMs, plausibleRiseWh } from './plausibility.ts';
import type { RegisterKind } from './register-origin.ts';

/** One value of an energy register: Wh (of power: W), and ms since 1970. */
export interface RegisterReading {
  readonly value: number;
  readonly atMs: number;
}

/** A value with what tells its unit. */
export interface UnitReading extends RegisterReading {
  /** Wh in the unit that the charger sent; null: it sent none, and the value was read as Wh. */
  scale: number | null;
}

/**
 * Energy counted from one register reading by reading, for what a difference of two values cannot tell: a register that was reset
 * in between. Plain data, kept with its session.
 */
export interface RegisterCount {
  first: RegisterReading;
  /** The highest reading since the first, or since the last reset. */
  last: RegisterReading;
  /** Counted since the first reading; of intervals with the first. */
  energyWh: number;
  /** Readings at different times. */
  readings: number;
  /** The first reading is the register of the start. */
  hasStart?: true;
  /** Shortest time in ms between two readings; null: there are not two. */
  stepMs: number | null;
  /** State before a fall that can still turn out to be one wrong reading. Null: no such fall. */
  fall: Fall | null;
  /** Number of falls. */
  falls?: number;
  /** A fall proved to be a reset: the register climbed past where it had fallen from. */
  wasReset?: true;
  /** Time since which the register has its value. */
  sinceMs: number;
  /** The newest reading, where it rose faster than the connector delivers and was left out. */
  leftOut?: number;
  /** The energy may differ from what was charged by more than one step of the readings. */
  isUncertain?: true;
  /** Wh in the unit that the charger sent last. */
  scale?: number;
}

/** State of a register before it fell. */
interface Fall extends RegisterReading {
  energyWh: number;
  /** Counted for the fall itself. */
  countedWh: number;
  /** If it was a reset, more may have been charged than one step of the readings. */
  isUncertain: boolean;
  /** Time of the last reading that fell. */
  fellMs: number;
}

/** A register that falls by less was rounded, or read by two meters in turn. */
export const roundedWh = 100;

/** Readings come a little late. */
const jitterMs = 60_000;

/** Begins to count a register with its first reading. */
export function beginCount(kind: RegisterKind, { value, atMs, scale }: UnitReading): RegisterCount {
  const reading = { value, atMs };
  const energyWh = kind === 'interval' ? value : 0;
  return {
    first: reading,
    last: reading,
    energyWh,
    readings: 1,
    stepMs: null,
    sinceMs: atMs,
    fall: null,
    ...(scale !== null && { scale }),
  };
}

/** Returns true where the register was reset, rather than misread once: the difference of its readings is then meaningless. */
export function showsReset({ fall, wasReset }: RegisterCount): boolean {
  return fall !== null || wasReset === true;
}

/** Readings that follow each other sooner were not sent by the clock. */
const shortestStepMs = 30_000;

/** Returns the shortest time in ms between two readings, or the time from the start to the only one; with what they come late. */
export function stepOf({ stepMs, first, last }: RegisterCount): number {
  return (stepMs ?? last.atMs - first.atMs) + jitterMs;
}

/**
 * Counts a reading. `maxPowerW`: highest power that the connector delivers. An older reading changes nothing.
 * - A register: the sum of all increments. A fall to r is a reset, and at least r was counted since; a reading that jumps back above
 *   the level before the fall shows that the fall was one wrong reading, one that climbed there does not. A rise that the connector
 *   does not deliver in that time is left out.
 * - Intervals: their sum.
 * - Power: its mean over time.
 */
export function countReading(
  count: RegisterCount,
  kind: RegisterKind,
  reading: RegisterReading,
  maxPowerW: number,
): RegisterCount {
  const { last, energyWh, readings } = count;
  const ms = reading.atMs - last.atMs;
  if (kind === 'import' || kind === 'net') return countRegister(count, reading, maxPowerW);
  if (ms <= 0) return ms === 0 ? count : { ...count, isUncertain: true };
  const chargedWh = kind === 'interval' ? reading.value : ((last.value + reading.value) / 2 / 3_600_000) * ms;
  // After a longer time an interval is missing.
  const isMissing = readings > 1 && ms > stepOf(count);
  const next = withReading(count, reading, energyWh + Math.max(0, chargedWh));
  return isMissing ? { ...next, isUncertain: true } : next;
}

/**
 * Returns a value without a unit in the unit that the register had before (`scale`, Wh), where it would fall otherwise. `last`: the
 * reading before.
 */
export function inEarlierUnit(
  last: RegisterReading,
  scale: number,
  reading: UnitReading,
  maxPowerW: number,
): UnitReading {
  if (reading.scale !== null || scale === 1 || reading.value >= last.value - roundedWh) return reading;
  const value = reading.value * scale;
  const riseWh = value - last.value;
  const isContinued = riseWh >= -roundedWh && riseWh <= plausibleRiseWh(reading.atMs - last.atMs, maxPowerW);
  return isContinued ? { ...reading, value, scale } : reading;
}

function countRegister(count: RegisterCount, reading: RegisterReading, maxPowerW: number): RegisterCount {
  const { last, energyWh, fall } = count;
  const ms = reading.atMs - last.atMs;
  if (ms < 0) return count;
  const plausibleWh = plausibleRiseWh(ms, maxPowerW, last.atMs - count.sinceMs);
  const riseWh = reading.value - last.value;
  if (fall !== null && isBack(fall, reading, maxPowerW)) {
    // It leaps where it rises by more than it had since it fell.
    const climbedWh = energyWh - fall.energyWh - fall.countedWh;
    const hasClimbed = isBetween(riseWh, Math.min(plausibleWh, climbedWh));
    const isUncertain = hasClimbed ? fall.isUncertain : couldBeClimb(count, riseWh, ms);
    const chargedWh = hasClimbed
      ? energyWh + riseWh
      : fall.energyWh + Math.max(0, reading.value - fall.value);
    return {
      ...withReading(count, reading, chargedWh),
      fall: null,
      ...(isUncertain && { isUncertain: true as const }),
      ...(hasClimbed && { wasReset: true as const }),
    };
  }
  if (riseWh < -roundedWh) {
    const fallen = afterFall(count, reading, plausibleWh);
    return { ...withReading(count, reading, fallen.energyWh), ...fallen };
  }
  if (riseWh < 0) return count;
  const burstWh = plausibleRiseWh(Math.max(ms, burstMs), maxPowerW, last.atMs - count.sinceMs);
  if (riseWh > burstWh) return { ...count, leftOut: reading.value };
  return withReading(count, reading, energyWh + riseWh);
}

/** Returns true for a reading that continues a register as it was before it fell. */
function isBack(fall: Fall, { value, atMs }: RegisterReading, maxPowerW: number): boolean {
  const riseWh = value - fall.value;
  return riseWh >= -roundedWh && riseWh <= plausibleRiseWh(atMs - fall.atMs, maxPowerW);
}

/** Returns a count that goes on with a reading. */
function withReading(count: RegisterCount, reading: RegisterReading, energyWh: number): RegisterCount {
  const ms = reading.atMs - count.last.atMs;
  const isStep = ms >= shortestStepMs && !(count.hasStart === true && count.readings === 1);
  const stepMs = isStep ? Math.min(ms, count.stepMs ?? ms) : count.stepMs;
  const readings = ms === 0 ? count.readings : count.readings + 1;
  const sinceMs = reading.value === count.last.value ? count.sinceMs : reading.atMs;
  const next = { ...count, last: reading, energyWh, readings, stepMs, sinceMs };
  if (next.leftOut === undefined) return next;
  // A leap that lasts becomes plausible with time, and may be wrong all the same.
  const hasLasted = reading.value >= next.leftOut - roundedWh;
  const { leftOut: _, ...rest } = next;
  return hasLasted ? { ...rest, isUncertain: true } : rest;
}

/** Returns true where a leap after a fall can be a rise too: no more than twice as fast as the register rose before. */
function couldBeClimb({ first, fall }: RegisterCount, riseWh: number, ms: number): boolean {
  if (fall === null || fall.countedWh === 0) return false;
  const beforeMs = fall.atMs - first.atMs;
  return beforeMs <= 0 || riseWh / ms <= (2 * fall.energyWh) / beforeMs;
}

/** A fall to r counts r, unless the connector does not deliver r in that time: then another register was read, or a wrong value. */
function afterFall(
  count: RegisterCount,
  { value, atMs }: RegisterReading,
  plausibleWh: number,
): Pick<RegisterCount, 'energyWh' | 'fall' | 'falls'> {
  const { last, energyWh } = count;
  const countedWh = value <= plausibleWh ? value : 0;
  const isLate = count.readings > 1 && atMs - last.atMs > stepOf(count);
  // Nothing confirms a level that was read once.
  const isLone = count.readings === 1 && count.hasStart !== true;
  const isUncertain = isLate || isLone || countedWh < value;
  return {
    energyWh: energyWh + countedWh,
    fall: {
      ...(count.fall ?? { value: last.value, atMs: last.atMs, energyWh, countedWh, isUncertain }),
      fellMs: atMs,
    },
    falls: (count.falls ?? 0) + 1,
  };
}

function isBetween(value: number, most: number): boolean {
  return value >= 0 && value <= most;
}
