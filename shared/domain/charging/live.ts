import type { ConnectorPosition } from '#shared/domain/fleet/charger.ts';
import type { PhaseValues } from './meter-sample.ts';

/** Channel on which API processes name the chargers whose live values they want, to all shards of the gateway. */
export const liveWatchChannel = 'live-watches';

/** Channel of the live values of a charger. */
export const liveChannel = (chargerId: number): string => `live:${chargerId}`;

/** Request for the live values of chargers. It ends by itself, so that an API process that dies leaves none behind. */
export interface LiveWatchRequest {
  chargerIds: number[];
  leaseMs: number;
}

/** Newest values of a connector, as the charger reported them. Null: not reported. Times in ms since 1970. */
export interface LiveReading extends ConnectorPosition {
  at: number;
  sessionId: string | null;
  /** Energy that the session has charged, counted; null without a session or when unknown. */
  sessionEnergyWh: number | null;
  energyRegisterWh: number | null;
  powerW: number | null;
  /** Highest of the phases. */
  currentA: number | null;
  /** Time of the currents, which may be from an earlier message. Null: none was reported. */
  currentAt: number | null;
  /** L1 to L3. */
  phaseCurrentsA: PhaseValues;
  voltageV: number | null;
  socPercent: number | null;
  temperatureC: number | null;
}

/** Status of a connector, or of the charger as a whole where both numbers are 0. */
export interface LiveStatus extends ConnectorPosition {
  at: number;
  status: string;
  errorCode: string | null;
}

/** Session that began or ended. */
export interface LiveSession extends ConnectorPosition {
  sessionId: string;
  isRunning: boolean;
}

/** Changes at a charger since the last update: the newest of each kind. */
export interface LiveUpdate {
  /** Undefined: no change. */
  isOnline?: boolean;
  readings: LiveReading[];
  statuses: LiveStatus[];
  sessions: LiveSession[];
}

/** Minimum time between two updates of a charger in ms. */
export const liveUpdateMs = 1000;

/** Returns a reading with missing values taken from an earlier one: chargers may spread measurands over messages. */
export function mergedReading(before: LiveReading | undefined, now: LiveReading): LiveReading {
  if (before === undefined || before.sessionId !== now.sessionId) return now;
  return {
    ...now,
    sessionEnergyWh: now.sessionEnergyWh ?? before.sessionEnergyWh,
    energyRegisterWh: now.energyRegisterWh ?? before.energyRegisterWh,
    powerW: now.powerW ?? before.powerW,
    currentA: now.currentA ?? before.currentA,
    currentAt: now.currentAt ?? before.currentAt,
    phaseCurrentsA: now.currentA === null ? before.phaseCurrentsA : now.phaseCurrentsA,
    voltageV: now.voltageV ?? before.voltageV,
    socPercent: now.socPercent ?? before.socPercent,
    temperatureC: now.temperatureC ?? before.temperatureC,
  };
}
