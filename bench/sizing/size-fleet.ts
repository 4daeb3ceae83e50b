import { byRole, type ByRole, type FleetCosts, sizedRoles } from './costs.ts';

/** Use of a fleet. */
export interface Fleet {
  stations: number;
  sessionsPerDay: number;
  sessionHours: number;
  /** Interval of a charging station's readings. */
  secondsPerReading: number;
  secondsPerHeartbeat: number;
  /** Period in which all stations reconnect after an outage. */
  reconnectSeconds: number;
  /** Retention of the message log. */
  logDays: number;
}

/** Needs of a fleet. Cores are those in use on average: provide twice as many. */
export interface FleetSize {
  gatewayProcesses: number;
  readingsPerSecond: number;
  readingsPerDay: number;
  callsPerDay: number;
  cores: ByRole;
  /** Cores of all processes while all stations reconnect within the period. */
  reconnectCores: number;
  gatewayBytes: number;
  /** Disk of readings and sessions that a year adds, and of the message log at its retention. */
  diskPerYear: number;
  logDisk: number;
}

/** Fleet of the examples: public chargers with two sessions a day, readings every minute, and the product's defaults. */
export const assumed: Omit<Fleet, 'stations'> = {
  sessionsPerDay: 2,
  sessionHours: 1.2,
  secondsPerReading: 60,
  secondsPerHeartbeat: 240,
  reconnectSeconds: 600,
  logDays: 90,
};

/** Stations of one gateway process: what it takes where it may open 20,000 files. */
export const stationsPerProcess = 19_500;

/** Part of a core that a process may use on average. The rest is for storms, peaks and neighbours. */
export const usableCore = 0.5;

const secondsPerDay = 86_400;

/** Calls of a session beside readings: authorization, start, statuses, stop. */
const callsPerSession = 7;

/** Computes the needs of a fleet from measured costs. All costs are linear in the number of stations. */
export function sizeFleet(fleet: Fleet, costs: FleetCosts): FleetSize {
  const { stations } = fleet;
  const sessionsPerSecond = (stations * fleet.sessionsPerDay) / secondsPerDay;
  const charging = (stations * fleet.sessionsPerDay * fleet.sessionHours) / 24;
  const readingsPerSecond = charging / fleet.secondsPerReading;
  const callsPerDay =
    (readingsPerSecond + stations / fleet.secondsPerHeartbeat + sessionsPerSecond * callsPerSession) *
    secondsPerDay;
  const cores = byRole(
    (role) =>
      stations * costs.idleCores[role] +
      readingsPerSecond * costs.readingCpu[role] +
      sessionsPerSecond * costs.sessionCpu[role],
  );
  const connections = stations / fleet.reconnectSeconds;
  const gatewayProcesses = Math.max(
    Math.ceil(stations / stationsPerProcess),
    Math.ceil(cores.gateway / usableCore),
  );
  return {
    gatewayProcesses,
    readingsPerSecond,
    readingsPerDay: readingsPerSecond * secondsPerDay,
    callsPerDay,
    cores,
    reconnectCores: connections * sizedRoles.reduce((sum, role) => sum + costs.connectCpu[role], 0),
    gatewayBytes: gatewayProcesses * costs.processBytes + stations * costs.stationBytes,
    diskPerYear:
      365 * (readingsPerSecond * costs.readingDisk + sessionsPerSecond * costs.sessionDisk) * secondsPerDay,
    logDisk: callsPerDay * fleet.logDays * costs.callDisk,
  };
}
