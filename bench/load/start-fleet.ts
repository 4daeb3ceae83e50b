import type { Bench } from '#bench/scenarios/scenario.ts';
import type { System } from '#bench/system/system.ts';
import { bareChargers, type RegisteredCharger, registerChargers } from './chargers.ts';
import type { FleetProcesses } from './fleet-processes.ts';

interface StartedFleet {
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

/** Starts a fleet with a session on every station at a yardstick, which knows no registration. */
export async function startBareFleet(bench: Bench, ocppUrl: string, size: number): Promise<FleetProcesses> {
  const fleet = bench.startFleet([ocppUrl], { size, seed: bench.load.seed });
  await fleet.connect(bareChargers(size));
  await fleet.charge(['TOKEN']);
  return fleet;
}

/** The same at the product: registers, connects and boots stations, and starts a session on each. */
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
