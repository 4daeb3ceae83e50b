import { measureLoad, loadMeasurements } from '#bench/load/measured-load.ts';
import { startChargingStations } from '#bench/load/start-fleet.ts';
import { countMissingReadings } from '#bench/load/stored-readings.ts';
import { toMiB } from '#bench/report/measurement.ts';
import type { Scenario } from '#bench/scenarios/scenario.ts';
import { servingRole } from '#bench/system/system.ts';

/** Offered rate, as a multiple of the highest that was acknowledged. */
const overloadFactor = 3;

/** Period in which the highest rate is measured, in s. */
const calibrationSeconds = 5;

/** Pause of a charger before it repeats a refused message, in ms. */
const repeatMs = 1000;
const memoryStepMs = 200;

/**
 * Three times the rate that the product can take, in open loop. A station has one message in flight and keeps the rest,
 * as OCPP demands, so the product sees at most one message of each.
 */
export const overload: Scenario = {
  name: 'overload',
  describe:
    'three times the rate that the product acknowledges: latency, memory, and acknowledged readings lost',
  defaults: { stations: 3000 },
  async run(bench) {
    const { stations, samples, duration, seed } = bench.load;
    const topology = bench.topologies[0] ?? 'all-in-one';
    const system = await bench.start(topology);
    const { fleet, chargers } = await startChargingStations(bench, system, stations);
    const memory = (): number => system.usage()[servingRole(topology)]?.residentBytes ?? 0;

    bench.progress('measuring the highest rate');
    const base = { samples, seed, keepsAcknowledged: true };
    const usage = () => system.usage();
    const highest = await measureLoad(fleet, { ...base, rate: null, seconds: calibrationSeconds }, usage);
    const memoryBefore = memory();
    const rate =
      bench.load.rate ?? Math.round((highest.result.messages / calibrationSeconds) * overloadFactor);
    let maxMemory = memoryBefore;
    const sampler = setInterval(() => (maxMemory = Math.max(maxMemory, memory())), memoryStepMs);
    const load = { ...base, rate, seconds: duration, repeatRefusedMs: repeatMs };
    const overloaded = await measureLoad(fleet, load, usage);
    clearInterval(sampler);

    bench.progress('looking for every acknowledged reading');
    const acknowledged = [...highest.result.acknowledged, ...overloaded.result.acknowledged];
    const missing = await countMissingReadings(system, chargers, acknowledged);
    const subject = `offered ${rate.toLocaleString('en')}/s`;
    const total = acknowledged.reduce((sum, { timesMs }) => sum + timesMs.length, 0);
    return {
      measurements: [
        ...loadMeasurements('closed loop', highest),
        ...loadMeasurements(subject, overloaded),
        ...(memoryBefore === 0
          ? []
          : [
              {
                subject: 'closed loop',
                what: 'largest resident memory',
                value: toMiB(memoryBefore),
                unit: 'MiB',
              },
              { subject, what: 'largest resident memory', value: toMiB(maxMemory), unit: 'MiB' },
            ]),
        { subject, what: 'readings acknowledged in both phases', value: total, unit: '' },
        ...(missing === null
          ? []
          : [{ subject, what: 'of them missing in ClickHouse', value: missing, unit: '' }]),
      ],
      ratios: [
        {
          what: 'p99 from sending under overload by that of the closed loop',
          value: overloaded.result.sentLatency.percentile(99) / highest.result.latency.percentile(99),
        },
        {
          what: 'rate acknowledged under overload by the highest',
          value: overloaded.result.messages / duration / (highest.result.messages / calibrationSeconds),
        },
        ...(memoryBefore === 0
          ? []
          : [{ what: 'memory under overload by before', value: maxMemory / memoryBefore }]),
      ],
    };
  },
};
