/** Flag of a session whose energy does not fit its power and time (field note 15). */
export const energyImplausible = 'energy-implausible';

/** Flag of a session that lasted longer than `longestSeconds`. */
export const durationImplausible = 'duration-implausible';

/** Resolution of a meter, and allowance for sessions of a few seconds; Wh. */
const slackWh = 1000;

/** Ratings are rounded. */
const ratedMargin = 1.2;

/** The power may have peaked between two readings. */
const measuredMargin = 2;

/**
 * Highest plausible power of a connector without a rating: chargers for lorries deliver a megawatt, with a
 * margin of a fifth.
 */
const unratedPowerW = 1_200_000;

/** A register in kWh labelled Wh is a thousand times too low; long parked cars come to a hundredth. */
const lowestShare = 1 / 500;
const shortestSeconds = 600;

/** 30 days: cars stay at airports for weeks. */
export const longestSeconds = 30 * 24 * 3600;

/**
 * Highest power in W that any charger delivers (the megawatt system for lorries ends at 3.75 MW), where the rating of a connector is
 * not known.
 */
const highestPowerW = 4_000_000;

/** Returns the highest power in W by which rises of a register are judged. `ratedPowerW`: of the connector; null: not known. */
export function maxPowerOf(ratedPowerW: number | null): number {
  return ratedPowerW === null ? highestPowerW : ratedPowerW * ratedMargin;
}

/** Energy of this time may be reported at once: chargers send readings late, and with the time of sending. */
export const burstMs = 30 * 60_000;

/** Resolution of most registers, Wh. */
const fineWh = 100;

/**
 * Returns the highest plausible rise in Wh of a register in a time, after it was unchanged for a time: a register of whole kWh rises
 * by one at once.
 */
export function plausibleRiseWh(ms: number, maxPowerW: number, unchangedMs = Infinity): number {
  const perMs = maxPowerW / 3_600_000;
  return perMs * Math.max(0, ms) + Math.min(slackWh, perMs * unchangedMs + fineWh);
}

/** The power of a session's connector; null: not known. */
export interface ConnectorPower {
  /** Rating of the connector, else of its charger or model. */
  ratedPowerW: number | null;
  /** The highest that was measured. */
  peakPowerW: number | null;
}

/**
 * Returns the highest energy that a session can have taken in its time, Wh: its rated power with a margin of a fifth, and 1 kWh.
 * Without a rating, twice the highest measured power counts, up to 1.2 MW; with neither, 1.2 MW.
 */
export function plausibleEnergyWh(durationSeconds: number, power: ConnectorPower): number {
  const seconds = Math.min(durationSeconds, longestSeconds);
  return (plausiblePowerW(power) * seconds) / 3600 + slackWh;
}

function plausiblePowerW({ ratedPowerW, peakPowerW }: ConnectorPower): number {
  if (ratedPowerW !== null) return ratedPowerW * ratedMargin;
  if (peakPowerW === null || peakPowerW <= 0) return unratedPowerW;
  return Math.min(peakPowerW * measuredMargin, unratedPowerW);
}

/**
 * Returns true when the energy of a session can be right: no more than `plausibleEnergyWh`, and, where power was measured, not a
 * thousandth of it.
 */
export function isEnergyPlausible(
  session: ConnectorPower & {
    energyWh: number;
    durationSeconds: number;
    /** Idle seconds of them. */
    idleSeconds: number;
  },
): boolean {
  const { energyWh, durationSeconds, peakPowerW } = session;
  if (energyWh > plausibleEnergyWh(durationSeconds, session)) return false;
  const chargingSeconds = durationSeconds - session.idleSeconds;
  if (peakPowerW === null || chargingSeconds < shortestSeconds) return true;
  const couldBeWh = (peakPowerW * chargingSeconds) / 3600;
  return couldBeWh < slackWh || energyWh >= couldBeWh * lowestShare;
}
