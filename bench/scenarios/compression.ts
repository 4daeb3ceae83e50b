import { cpuPer100k, measureLoad } from '#bench/load/measured-load.ts';
import { measureGrowth } from '#bench/load/memory-growth.ts';
import type { Bench, Measurement, Scenario } from '#bench/scenarios/scenario.ts';
import { servingRole } from '#bench/system/system.ts';

/** Cost of a fleet that compresses, or of one that does not. */
interface Cost {
  /** Resident bytes of the gateway for an idle station. */
  idleBytes: number;
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
    'bytes on the wire and CPU for a reading, and memory for an idle station, with and without compression',
  defaults: { stations: 2000 },
  async run(bench) {
    const plain = await measure(bench, false);
    const compressed = await measure(bench, true);
    return {
      measurements: [...measurementsOf('plain', plain), ...measurementsOf('compressed', compressed)],
      ratios: [
        { what: 'bytes from the stations, compressed by plain', value: compressed.sent / plain.sent },
        { what: 'bytes to the stations, compressed by plain', value: compressed.received / plain.received },
        { what: 'CPU of the gateway for a message, compressed by plain', value: compressed.cpu / plain.cpu },
        {
          what: 'memory for an idle station, compressed by plain',
          value: compressed.idleBytes / plain.idleBytes,
        },
      ],
    };
  },
};

function measurementsOf(subject: string, { idleBytes, cpu, sent, received }: Cost): Measurement[] {
  return [
    { subject, what: 'bytes from the station for a message', value: sent, unit: 'B' },
    { subject, what: 'bytes to the station for a message', value: received, unit: 'B' },
    { subject, what: 'CPU of gateway for 100,000 messages', value: cpu, unit: 's' },
    { subject, what: 'memory for an idle station', value: idleBytes / 1024, unit: 'KiB' },
  ];
}

/** Measures idle stations on one gateway, then charging ones on a fresh one. */
async function measure(bench: Bench, offersCompression: boolean): Promise<Cost> {
  const { stations, duration, samples, seed } = bench.load;
  const name = offersCompression ? 'compressed' : 'plain';
  bench.progress(`${name}: idle stations`);
  const idle = await bench.startOwn('split');
  const role = servingRole(idle.topology);
  const { perStation } = await measureGrowth(
    bench.startFleet(idle.ocppUrls, { size: stations, seed, offersCompression }),
    await idle.addChargers(stations),
    true,
    () => idle.usage()[role]?.residentBytes ?? 0,
  );
  await bench.stopAll();

  bench.progress(`${name}: charging stations`);
  const system = await bench.startOwn('split');
  const fleet = bench.startFleet(system.ocppUrls, { size: stations, seed, offersCompression });
  await fleet.connect(await system.addChargers(stations));
  await fleet.charge(system.tokens);
  const load = { samples, rate: null, seed, seconds: duration };
  const { result, usage } = await measureLoad(fleet, load, () => system.usage());
  await bench.stopAll();
  return {
    idleBytes: perStation,
    cpu: cpuPer100k(usage.get(role)?.cpuSeconds ?? 0, result.messages),
    sent: result.bytesSent / result.messages,
    received: result.bytesReceived / result.messages,
  };
}
