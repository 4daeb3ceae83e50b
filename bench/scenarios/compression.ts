import { cpuPer100k, measureLoad } from '#bench/load/measured-load.ts';
import { measureGrowth } from '#bench/scenarios/idle.ts';
import type { Bench, Measurement, Scenario } from '#bench/scenarios/scenario.ts';
import { servingRole } from '#bench/system/system.ts';

/** Cost of a fleet that compresses, or of one that does not. */
interface Cost {
  /** CPU of the gateway for 100,000 messages, in s. */
  cpu: number;
  /** Bytes on the wire for a message and its answer. */
  sent: number;
  received: number;
}

/** Costs of compressed connections, next to connections without compression, in turn in the same run. */
export const compression: Scenario = {
  name: 'compression',
  describe:
    'bytes on the wire and CPU of the gateway for a reading, and memory for an idle station, with and without compression',
  defaults: { stations: 2000 },
  async run(bench) {
    const plain = await measure(bench, false);
    const compressed = await measure(bench, true);
    const memory = await measureMemory(bench);
    return {
      measurements: [
        ...measurementsOf('plain', plain, memory.plain),
        ...measurementsOf('compressed', compressed, memory.compressed),
      ],
      ratios: [
        { what: 'bytes from the stations, compressed by plain', value: compressed.sent / plain.sent },
        { what: 'bytes to the stations, compressed by plain', value: compressed.received / plain.received },
        { what: 'CPU of the gateway for a message, compressed by plain', value: compressed.cpu / plain.cpu },
        {
          what: 'memory for an idle station, compressed by plain',
          value: memory.compressed / memory.plain,
        },
      ],
    };
  },
};

function measurementsOf(subject: string, { cpu, sent, received }: Cost, idleBytes: number): Measurement[] {
  return [
    { subject, what: 'bytes from the station for a message', value: sent, unit: 'B' },
    { subject, what: 'bytes to the station for a message', value: received, unit: 'B' },
    { subject, what: 'CPU of gateway for 100,000 messages', value: cpu, unit: 's' },
    { subject, what: 'memory for an idle station', value: idleBytes / 1024, unit: 'KiB' },
  ];
}

/** Measures charging stations in closed loop on a fresh system. */
async function measure(bench: Bench, offersCompression: boolean): Promise<Cost> {
  const { stations, duration, samples, seed } = bench.load;
  bench.progress(offersCompression ? 'compressed' : 'plain');
  const system = await bench.startOwn('split');
  const fleet = bench.startFleet(system.ocppUrls, { size: stations, seed, offersCompression });
  await fleet.connect(await system.addChargers(stations));
  await fleet.charge(system.tokens);
  const load = { samples, rate: null, seed, seconds: duration };
  const { result, usage } = await measureLoad(fleet, load, () => system.usage());
  await bench.stopAll();
  return {
    cpu: cpuPer100k(usage.get(servingRole(system.topology))?.cpuSeconds ?? 0, result.messages),
    sent: result.bytesSent / result.messages,
    received: result.bytesReceived / result.messages,
  };
}

/** Measures the bytes of the gateway for each idle station of either kind, which are half of the stations each. */
async function measureMemory(bench: Bench): Promise<{ plain: number; compressed: number }> {
  const { stations, seed } = bench.load;
  bench.progress('idle');
  const system = await bench.startOwn('split');
  const role = servingRole(system.topology);
  const chargers = await system.addChargers(stations);
  const growthBy = async (half: typeof chargers, offersCompression: boolean) => {
    const fleet = bench.startFleet(system.ocppUrls, { size: half.length, seed, offersCompression });
    const bytes = () => system.usage()[role]?.residentBytes ?? 0;
    return (await measureGrowth(fleet, half, true, bytes)).perStation;
  };
  const middle = Math.floor(stations / 2);
  const plain = await growthBy(chargers.slice(0, middle), false);
  const compressed = await growthBy(chargers.slice(middle), true);
  await bench.stopAll();
  return { plain, compressed };
}
