/** One reading of an energy register: Wh, and ms since 1970. */
export interface RegisterReading {
  registerWh: number;
  atMs: number;
}

/**
 * Energy counted from a register reading by reading, for what a difference of two registers cannot tell: a register
 * that was reset in between. Plain data, kept with its session.
 */
export interface RegisterCount {
  /** The highest reading since the start, or since the last reset; null: none yet. */
  last: RegisterReading | null;
  /** Counted so far. */
  energyWh: number;
  /** Count before a fall that can still turn out to be one wrong reading. Null: no such fall. */
  beforeReset: { registerWh: number; energyWh: number } | null;
  /** Set where a fall proved to be a reset: the register climbed past where it had fallen from. */
  wasReset?: true;
}

/** Energy counted up to a time, in ms since 1970. */
export interface CountedEnergy {
  energyWh: number;
  atMs: number;
}

/** A register that falls by less was rounded, or read by two meters in turn. */
export const roundedWh = 100;

/**
 * Highest power in W that a charger can deliver (the megawatt system for lorries ends at 3.75 MW). A faster
 * rise is a misreading.
 */
export const highestPowerW = 4_000_000;

/** Readings of one instant may lie a little apart. */
const shortestMs = 60_000;

/** A count that begins at the register of a session's start, or with its first reading where that is not known. */
export function beginCount(meterStartWh: number | null, startedAt: Date): RegisterCount {
  const last = meterStartWh === null ? null : { registerWh: meterStartWh, atMs: startedAt.getTime() };
  return { last, energyWh: 0, beforeReset: null };
}

/**
 * Returns whether the register was reset, rather than misread once. The difference of its readings is then
 * meaningless.
 */
export function showsReset({ beforeReset, wasReset }: RegisterCount): boolean {
  return beforeReset !== null || wasReset === true;
}

/**
 * Counts a reading: the sum of all increments. A fall is a reset, and counting continues from there. A
 * reading that jumps back above the level before the fall shows that the fall was one wrong reading; one that
 * climbed there does not. A rise that no charger delivers in that time is left out. Energy never falls.
 */
export function countRegister(count: RegisterCount, reading: RegisterReading): RegisterCount {
  const { last, energyWh, beforeReset } = count;
  if (last === null) return { ...count, last: reading };
  if (reading.atMs < last.atMs) return count;
  const hours = Math.max(shortestMs, reading.atMs - last.atMs) / 3_600_000;
  const plausibleWh = highestPowerW * hours;
  const riseWh = reading.registerWh - last.registerWh;
  if (beforeReset !== null && isBetween(reading.registerWh - beforeReset.registerWh, plausibleWh)) {
    // It leaps where it rises by more than it had since it fell.
    if (isBetween(riseWh, Math.min(plausibleWh, energyWh - beforeReset.energyWh))) {
      return { last: reading, energyWh: energyWh + riseWh, beforeReset: null, wasReset: true };
    }
    const counted = beforeReset.energyWh + reading.registerWh - beforeReset.registerWh;
    return { ...count, last: reading, energyWh: Math.max(energyWh, counted), beforeReset: null };
  }
  if (riseWh < -roundedWh) {
    const before = beforeReset ?? { registerWh: last.registerWh, energyWh };
    return { ...count, last: reading, beforeReset: before };
  }
  if (!isBetween(riseWh, plausibleWh)) return count;
  const counted = { last: reading, energyWh: energyWh + riseWh, beforeReset };
  return count.wasReset === true ? { ...counted, wasReset: true } : counted;
}

function isBetween(value: number, most: number): boolean {
  return value >= 0 && value <= most;
}
