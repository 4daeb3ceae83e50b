import { createFleetCounters, type FleetCounters } from '#bench/fleet/counters.ts';
import type { Station } from '#bench/fleet/station.ts';
import { createStation16 } from '#bench/fleet/station16.ts';
import { createStation201 } from '#bench/fleet/station201.ts';
import type { System } from '#bench/system/system.ts';
import { registerChargers } from './chargers.ts';

export interface ChargingFleet {
  stations: Station[];
  counters: FleetCounters;
  /** ms from the first connection attempt until every station had booted and charged. */
  startMs: number;
}

/** Stations that connect at the same time; the rest waits for its turn. */
const atOnce = 100;

/** Registers, connects and boots a fleet, every second station of it 2.0.1, each with a session running: from now, or from `startedAt`. */
export async function startChargingFleet(
  system: System,
  size: number,
  startedAt?: Date,
): Promise<ChargingFleet> {
  const chargers = await registerChargers(system, size);
  const counters = createFleetCounters();
  const stations = chargers.map(({ uid, password }, index) =>
    (index % 2 === 0 ? createStation16 : createStation201)({
      ocppUrl: system.ocppUrls[index % system.ocppUrls.length] ?? '',
      uid,
      password,
      connectors: 1,
      vendor: 'Bench',
      model: 'Bench',
      counters,
      // Beyond 28,000 connections one address has no ports left.
      localAddress: `127.0.0.${1 + (index % 8)}`,
    }),
  );
  const begunAt = performance.now();
  const waiting = stations.entries();
  const start = async (): Promise<void> => {
    for (const [index, station] of waiting) {
      await station.connect(5);
      await station.boot();
      const idToken = system.tokens[index % system.tokens.length] ?? '';
      await station.startSession({ idToken, ...(startedAt !== undefined && { at: startedAt }) });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, start));
  return { stations, counters, startMs: performance.now() - begunAt };
}
