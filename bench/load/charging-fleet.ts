import { createFleetCounters } from '#shared/simulator/counters.ts';
import type { Station } from '#shared/simulator/station.ts';
import type { System } from '#bench/system/system.ts';
import { createBenchStation, forEachAtOnce, stationsAtOnce } from './bench-station.ts';
import { registerChargers } from './chargers.ts';

/** Registers, connects and boots a fleet, every second station of it 2.0.1, each with a session that began at `startedAt`. */
export async function startChargingFleet(system: System, size: number, startedAt: Date): Promise<Station[]> {
  const chargers = await registerChargers(system, size);
  const counters = createFleetCounters();
  const stations = chargers.map((charger) =>
    createBenchStation(charger, {
      ocppUrl: system.ocppUrls[charger.number % system.ocppUrls.length] ?? '',
      counters,
    }),
  );
  await forEachAtOnce(stations, stationsAtOnce, async (station, index) => {
    await station.connect(5);
    await station.boot();
    await station.startSession({ idToken: system.tokens[index % system.tokens.length] ?? '', at: startedAt });
  });
  return stations;
}
