import { highestPowerW } from './register-count.ts';

/** Flag of a session whose energy does not fit its power and time (field note 15). It is billed all the same. */
export const energyImplausible = 'energy-implausible';

/** A meter's resolution, and a session too short to be judged. */
const slackWh = 1000;

/** Ratings are rounded. */
const ratedMargin = 1.2;

/** The highest power that was measured may have been passed between two readings. */
const measuredMargin = 2;

/** A register in kWh labelled Wh is a thousand times too low; long parked cars come to a hundredth. */
const lowestShare = 1 / 500;
const shortestSeconds = 600;

/**
 * Whether the energy of a session can be right: no more than its power delivers in its time, and, where power was
 * measured, not a thousandth of it. `powerW` null: not known.
 */
export function isEnergyPlausible(session: {
  energyWh: number;
  durationSeconds: number;
  /** Of those, not charging. */
  idleSeconds: number;
  ratedPowerW: number | null;
  peakPowerW: number | null;
}): boolean {
  const { energyWh, durationSeconds, ratedPowerW, peakPowerW } = session;
  const measuredW = peakPowerW === null || peakPowerW <= 0 ? null : peakPowerW * measuredMargin;
  const mostW = ratedPowerW === null ? (measuredW ?? highestPowerW) : ratedPowerW * ratedMargin;
  if (energyWh > (mostW * durationSeconds) / 3600 + slackWh) return false;
  const chargingSeconds = durationSeconds - session.idleSeconds;
  if (peakPowerW === null || chargingSeconds < shortestSeconds) return true;
  const couldBeWh = (peakPowerW * chargingSeconds) / 3600;
  return couldBeWh < slackWh || energyWh >= couldBeWh * lowestShare;
}
