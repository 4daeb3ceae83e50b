import type { Bench } from '#bench/scenarios/scenario.ts';
import type { System } from '#bench/system/system.ts';
import { type RegisteredCharger, registerChargers } from './chargers.ts';
import type { FleetProcesses } from './fleet-processes.ts';

export interface StartedFleet {
  fleet: FleetProcesses;
  chargers: RegisteredCharger[];
}

/** Registers, connects and boots stations. */
export async function startConnectedFleet(bench: Bench, system: System, size: number): Promise<StartedFleet> {
  bench.progress(`registering ${size.toLocaleString('en')} chargers`);
  const chargers = await registerChargers(system, size);
  bench.progress(`connecting ${size.toLocaleString('en')} stations`);
  const fleet = bench.startFleet(system.ocppUrls, { size, seed: bench.load.seed });
  await fleet.connect(chargers);
  return { fleet, chargers };
}

/** The same, with a session on every station. */
export async function startChargingStations(
  bench: Bench,
  system: System,
  size: number,
): Promise<StartedFleet> {
  const started = await startConnectedFleet(bench, system, size);
  bench.progress(`starting ${size.toLocaleString('en')} sessions`);
  await started.fleet.charge(system.tokens);
  return started;
}
