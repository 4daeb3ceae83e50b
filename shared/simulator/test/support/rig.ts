import { createFleetCounters, type FleetCounters } from '#shared/simulator/counters.ts';
import type { Station, StationOptions } from '#shared/simulator/station.ts';
import { createStation16 } from '#shared/simulator/station16.ts';
import { createStation201 } from '#shared/simulator/station201.ts';
import { createStation21 } from '#shared/simulator/station21.ts';
import { CentralSystem } from './central-system.ts';

export const versions = [
  { name: '1.6', create: createStation16 },
  { name: '2.0.1', create: createStation201 },
  { name: '2.1', create: createStation21 },
] as const;

export interface Rig {
  central: CentralSystem;
  station: Station;
  counters: FleetCounters;
}

/** A booted station with two connectors, and the central system it talks to. */
export async function booted(
  test: { teardown(handler: () => unknown): unknown },
  create: (options: StationOptions) => Station,
  options: Partial<StationOptions> = {},
): Promise<Rig> {
  const central = await CentralSystem.listen();
  const counters = createFleetCounters();
  const station = create({
    ocppUrl: central.url,
    uid: 'CP-1',
    password: 'secret',
    connectors: 2,
    vendor: 'Volta',
    model: 'Twin 22',
    serialNumber: 'V-0001',
    firmwareVersion: '3.2.1',
    backoff: { baseMs: 5, maxMs: 20 },
    retryMs: 5,
    registerWh: 12_000,
    counters,
    ...options,
  });
  test.teardown(async () => {
    await station.close();
    await central.close();
  });
  await station.connect();
  await station.boot();
  return { central, station, counters };
}
