import type { RegisteredCharger } from './chargers.ts';
import type { FleetProcesses } from './fleet-processes.ts';
import { settledBytes } from '#bench/system/settled-memory.ts';

/** Time for memory to settle. */
const settling = { quietMs: 20_000, maxMs: 60_000 };

/** Growth of a process by a fleet. */
export interface Growth {
  /** Bytes for each station. */
  perStation: number;
  /** Resident bytes with all stations. */
  resident: number;
}

/**
 * Connects a fifth of the stations, then the rest, and returns the growth of resident memory by the rest. The first ones pay
 * for what a process needs once, such as compiled code.
 */
export async function measureGrowth(
  fleet: FleetProcesses,
  chargers: readonly RegisteredCharger[],
  boots: boolean,
  bytes: () => number,
): Promise<Growth> {
  const first = Math.floor(chargers.length / 5);
  await fleet.storm(chargers.slice(0, first), boots);
  const before = await settledBytes(bytes, settling);
  await fleet.storm(chargers.slice(first), boots);
  const resident = await settledBytes(bytes, settling);
  return { perStation: (resident - before) / (chargers.length - first), resident };
}
