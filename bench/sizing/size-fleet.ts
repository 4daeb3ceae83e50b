import { byRole, type ByRole, type CpuCosts, type FleetCosts, processesOf, sizedRoles } from './costs.ts';

/** Use of a fleet. */
interface Fleet {
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

/** Processes and cores that a fleet needs. Cores are those in use on average: provide twice as many. */
interface FleetCores {
  gatewayProcesses: number;
  readingsPerSecond: number;
  cores: ByRole;
  /** Cores of all processes while all stations reconnect within the period. */
  reconnectCores: number;
}

/** Needs of a fleet. */
export interface FleetSize extends FleetCores {
  readingsPerDay: number;
  callsPerDay: number;
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

/**
 * Stations of one gateway process, the number that was measured. The alert ChargewayGatewayCrowded fires above it. A process
 * that may open 20,000 files takes 19,500, so others can take over the stations of one that restarts.
 */
export const stationsPerProcess = 15_000;

/** Part of a core that a process may use on average. The rest is for storms, peaks and neighbours. */
export const usableCore = 0.5;

const secondsPerDay = 86_400;

/** Calls of a session alongside readings: authorization, start, statuses, stop. */
const callsPerSession = 7;

/** Returns the readings a second that this number of stations sends. */
export function readingRate({ stations, sessionsPerDay, sessionHours, secondsPerReading }: Fleet): number {
  return (stations * sessionsPerDay * sessionHours) / 24 / secondsPerReading;
}

function sessionRate({ stations, sessionsPerDay }: Fleet): number {
  return (stations * sessionsPerDay) / secondsPerDay;
}

/** Computes processes and cores of a fleet: linear in its stations, readings, sessions and gateway processes. */
export function fleetCores(fleet: Fleet, costs: CpuCosts): FleetCores {
  const { stations } = fleet;
  const [readings, sessions] = [readingRate(fleet), sessionRate(fleet)];
  const receiving = (role: keyof ByRole): number => (readings === 0 ? 0 : costs.receivingCores[role]);
  const ofFleet = (role: keyof ByRole): number =>
    stations * costs.idleCores[role] + readings * costs.readingCpu[role] + sessions * costs.sessionCpu[role];
  const usable = usableCore - costs.processCores.gateway - receiving('gateway');
  const gatewayProcesses = Math.max(
    Math.ceil(stations / stationsPerProcess),
    Math.ceil(ofFleet('gateway') / usable),
  );
  return {
    gatewayProcesses,
    readingsPerSecond: readings,
    cores: byRole(
      (role) =>
        processesOf(role, gatewayProcesses) * costs.processCores[role] +
        gatewayProcesses * receiving(role) +
        ofFleet(role),
    ),
    reconnectCores:
      (stations / fleet.reconnectSeconds) * sizedRoles.reduce((sum, role) => sum + costs.connectCpu[role], 0),
  };
}

/** Costs of a fleet and of its hosting. */
export interface FleetBill {
  /** Of all processes. */
  cpuHoursPerDay: number;
  bytesPerDay: number;
  cores: number;
  bytes: number;
  eurosPerMonth: number;
}

/** Prices and reserves of the estimated hosting: of a core with 4 GB of memory and of replicated SSD volumes, without backups. */
export const hosting = {
  eurosPerCore: 15,
  eurosPerGigabyte: 0.1,
  /** Provided cores by cores in use, and their minimum. */
  coreReserve: 2,
  leastCores: 2,
  /** Provided disk by used disk. */
  diskReserve: 1.5,
} as const;

/** Computes what a fleet costs with the readings, sessions and messages of a year, less those past their retention. */
export function billFleet(fleet: Fleet, costs: FleetCosts): FleetBill {
  const size = sizeFleet(fleet, costs);
  const inUse = sizedRoles.reduce((sum, role) => sum + size.cores[role], 0);
  const cores = Math.max(hosting.leastCores, Math.ceil(inUse * hosting.coreReserve));
  const bytes = (size.diskPerYear + size.logDisk) * hosting.diskReserve;
  return {
    cpuHoursPerDay: inUse * 24,
    bytesPerDay: size.diskPerYear / 365 + size.logDisk / fleet.logDays,
    cores,
    bytes,
    eurosPerMonth: cores * hosting.eurosPerCore + (bytes / 1e9) * hosting.eurosPerGigabyte,
  };
}

/** Computes the needs of a fleet from measured costs. */
export function sizeFleet(fleet: Fleet, costs: FleetCosts): FleetSize {
  const { stations } = fleet;
  const all = fleetCores(fleet, costs);
  const [readings, sessions] = [all.readingsPerSecond, sessionRate(fleet)];
  const callsPerDay =
    (readings + stations / fleet.secondsPerHeartbeat + sessions * callsPerSession) * secondsPerDay;
  return {
    ...all,
    readingsPerDay: readings * secondsPerDay,
    callsPerDay,
    gatewayBytes: all.gatewayProcesses * costs.processBytes + stations * costs.stationBytes,
    diskPerYear: 365 * (readings * costs.readingDisk + sessions * costs.sessionDisk) * secondsPerDay,
    logDisk: callsPerDay * fleet.logDays * costs.callDisk,
  };
}
