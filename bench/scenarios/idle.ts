import { registerChargers } from '#bench/load/chargers.ts';
import type { Bench, Measurement, Scenario } from '#bench/scenario.ts';
import { settledBytes } from '#bench/system/settled-memory.ts';
import { servingRole } from '#bench/system/system.ts';

/** Connections that pay for what a process needs once: compiled code, connections to the stores. */
const firstConnections = 500;

/** Memory of connections that are open and silent, of the product and of the bare library. */
export const idle: Scenario = {
  name: 'idle',
  describe:
    'memory of the gateway for each idle station, beside the memory of the bare library for a connection',
  defaults: { stations: 10_000 },
  async run(bench) {
    const bare = await measureBare(bench);
    const measurements: Measurement[] = [
      { subject: 'bare uWebSockets.js', what: 'memory for a connection', value: bare / 1024, unit: 'KiB' },
    ];
    const product = await measureProduct(bench, measurements);
    return {
      measurements,
      ratios: [
        {
          what: 'memory for an idle station by that for a bare connection',
          value: product / bare,
          goal: { atMost: 1.5 },
        },
      ],
    };
  },
};

/** Returns bytes for each connection of the bare library. */
async function measureBare(bench: Bench): Promise<number> {
  const { stations, seed } = bench.load;
  const settling = { quietMs: 2000, maxMs: 10_000 };
  const server = await bench.startYardstick('upgrades');
  const bytes = (): number => server.usage().residentBytes;
  const fleet = bench.startFleet([server.ocppUrl], { size: stations, seed });
  await fleet.upgrade(firstConnections);
  const before = await settledBytes(bytes, settling);
  const added = (await fleet.upgrade(stations - firstConnections)).length;
  const after = await settledBytes(bytes, settling);
  await bench.stopAll();
  return (after - before) / added;
}

/** Returns bytes for each idle station of the product. */
async function measureProduct(bench: Bench, measurements: Measurement[]): Promise<number> {
  const { stations, seed } = bench.load;
  const settling = { quietMs: 12_000, maxMs: 40_000 };
  const system = await bench.startOwn('split');
  const role = servingRole(system.topology);
  const bytes = (): number => system.usage()[role]?.residentBytes ?? 0;
  const chargers = await registerChargers(system, stations);
  const fleet = bench.startFleet(system.ocppUrls, { size: stations, seed });
  await fleet.connect(chargers.slice(0, firstConnections));
  bench.progress('waiting until memory settles');
  const before = await settledBytes(bytes, settling);
  const added = (await fleet.connect(chargers.slice(firstConnections))).length;
  const cpuBefore = system.usage()[role]?.cpuSeconds ?? 0;
  const startedAt = performance.now();
  bench.progress('waiting until memory settles');
  const after = await settledBytes(bytes, settling);
  const seconds = (performance.now() - startedAt) / 1000;
  const cpu = (system.usage()[role]?.cpuSeconds ?? 0) - cpuBefore;
  const subject = 'gateway';
  measurements.push(
    { subject, what: 'memory for a connection', value: (after - before) / added / 1024, unit: 'KiB' },
    { subject, what: 'memory of the process', value: after / 2 ** 20, unit: 'MiB' },
    { subject, what: 'CPU of the process while all idle', value: (cpu / seconds) * 100, unit: '% of a core' },
  );
  return (after - before) / added;
}
