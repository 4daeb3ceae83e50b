import type { Role } from '#bench/system/system.ts';

/** Processes of the split topology. */
export const sizedRoles = [
  'gateway',
  'api',
  'PostgreSQL',
  'ClickHouse',
  'Redis',
] as const satisfies readonly Role[];

/** A number for each process of the split topology. */
export type ByRole = Record<(typeof sizedRoles)[number], number>;

/** CPU costs of a fleet. */
export interface CpuCosts {
  /** Cores without load: of one gateway process, and of each other process. */
  processCores: ByRole;
  /** Cores that a gateway process takes as soon as it receives readings: flushes of its log, inserts. */
  receivingCores: ByRole;
  /** Cores of an idle station, which sends heartbeats. */
  idleCores: ByRole;
  /** CPU seconds of a reading, to durable acknowledgement and until it is loaded. */
  readingCpu: ByRole;
  /** CPU seconds of a session from authorization to the priced record, in addition to its readings. */
  sessionCpu: ByRole;
  /** CPU seconds of a station that connects and boots. */
  connectCpu: ByRole;
}

/** Measured costs of a fleet. */
export interface FleetCosts extends CpuCosts {
  /** Memory of a gateway process without stations, and of a station. */
  processBytes: number;
  stationBytes: number;
  /** Disk of ClickHouse for a reading and for a call in the message log. */
  readingDisk: number;
  callDisk: number;
  /** Disk of both stores for a session. */
  sessionDisk: number;
}

/** Computes a number for each role. */
export function byRole(numberOf: (role: keyof ByRole) => number): ByRole {
  return {
    gateway: numberOf('gateway'),
    api: numberOf('api'),
    PostgreSQL: numberOf('PostgreSQL'),
    ClickHouse: numberOf('ClickHouse'),
    Redis: numberOf('Redis'),
  };
}

/** Returns how many processes a role has in a system with that many gateways. */
export function processesOf(role: keyof ByRole, gateways: number): number {
  return role === 'gateway' ? gateways : 1;
}
