import { setTimeout as wait } from 'node:timers/promises';
import { bareChargers, type RegisteredCharger } from '#bench/load/chargers.ts';
import type { FleetProcesses } from '#bench/load/fleet-processes.ts';
import type { Bench, Measurement, Scenario } from '#bench/scenarios/scenario.ts';
import { settledBytes } from '#bench/system/settled-memory.ts';
import { servingRole } from '#bench/system/system.ts';

/** Time for memory to settle, of both servers. */
const settling = { quietMs: 20_000, maxMs: 60_000 };

/** Period of the CPU measurement, in ms. */
const idleMs = 10_000;

/** Memory of connections that are open and silent, of the product and of the bare library. */
export const idle: Scenario = {
  name: 'idle',
  describe:
    'memory of the gateway for each idle station, alongside the memory of the bare library for a connection',
  defaults: { stations: 10_000 },
  async run(bench) {
    const bare = await measureBare(bench);
    const product = await measureProduct(bench);
    const both = (what: string, of: (growth: Growth) => number, unit: string): Measurement[] => [
      { subject: 'bare uWebSockets.js', what, value: of(bare), unit },
      { subject: 'gateway', what, value: of(product), unit },
    ];
    return {
      measurements: [
        ...both('memory for a connection', ({ perStation }) => perStation / 1024, 'KiB'),
        ...both('memory of the process', ({ resident }) => resident / 2 ** 20, 'MiB'),
        {
          subject: 'gateway',
          what: 'CPU of the process while all idle',
          value: product.idleCpu * 100,
          unit: '% of a core',
        },
      ],
      ratios: [
        {
          what: 'memory for an idle station by that for a bare connection',
          value: product.perStation / bare.perStation,
          goal: { atMost: 1.5 },
        },
      ],
    };
  },
};

/** Growth of a process by a fleet. */
interface Growth {
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

async function measureBare(bench: Bench): Promise<Growth> {
  const { stations, seed } = bench.load;
  const server = await bench.startYardstick('upgrades');
  const fleet = bench.startFleet([server.ocppUrl], { size: stations, seed });
  const growth = await measureGrowth(
    fleet,
    bareChargers(stations),
    false,
    () => server.usage().residentBytes,
  );
  await bench.stopAll();
  return growth;
}

/** Measures the product, and the CPU that it takes while all stations idle. */
async function measureProduct(bench: Bench): Promise<Growth & { idleCpu: number }> {
  const { stations, seed } = bench.load;
  const system = await bench.startOwn('split');
  const role = servingRole(system.topology);
  const chargers = await system.addChargers(stations);
  const fleet = bench.startFleet(system.ocppUrls, { size: stations, seed });
  const growth = await measureGrowth(fleet, chargers, true, () => system.usage()[role]?.residentBytes ?? 0);
  const cpuBefore = system.usage()[role]?.cpuSeconds ?? 0;
  await wait(idleMs);
  const cpu = (system.usage()[role]?.cpuSeconds ?? 0) - cpuBefore;
  return { ...growth, idleCpu: cpu / (idleMs / 1000) };
}
