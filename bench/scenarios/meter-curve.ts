import { measureLoad } from '#bench/load/measured-load.ts';
import { startChargingStations } from '#bench/load/start-fleet.ts';
import type { Measurement, Scenario, Series } from '#bench/scenario.ts';

/** Offered rates, as parts of the highest. */
const shares = [0.1, 0.25, 0.5, 0.75, 0.9, 1];

/** Latency of meter values over the rate at which they are offered, up to the highest. */
export const meterCurve: Scenario = {
  name: 'meter-curve',
  describe: 'time to durable acknowledgement at growing rates up to the highest, open loop',
  defaults: { duration: 5 },
  async run(bench) {
    const { stations, samples, duration, seed } = bench.load;
    const system = await bench.start(bench.topologies[0] ?? 'all-in-one');
    const { fleet } = await startChargingStations(bench, system, stations);
    const usage = () => system.usage();
    const closed = await measureLoad(fleet, { samples, seed, rate: null, seconds: duration }, usage);
    const highest = bench.load.rate ?? closed.result.messages / duration;
    const measurements: Measurement[] = [];
    const series = [50, 99].map(
      (percent): Series => ({
        name: percent === 50 ? 'median' : '99th percentile',
        x: 'messages per second',
        y: 'time to acknowledgement, ms',
        points: [],
      }),
    );
    for (const share of shares) {
      const rate = Math.max(1, Math.round(highest * share));
      const { result } = await measureLoad(fleet, { samples, seed, rate, seconds: duration }, usage);
      const acknowledged = result.messages / duration;
      const percentiles = result.latency.percentiles(50, 99);
      const subject = `${rate.toLocaleString('en')}/s`;
      measurements.push({ subject, what: 'messages acknowledged', value: acknowledged, unit: '1/s' });
      for (const [index, one] of series.entries()) {
        const value = percentiles[index] ?? 0;
        one.points.push([acknowledged, value]);
        measurements.push({ subject, what: `${one.y.replace(', ms', '')}, ${one.name}`, value, unit: 'ms' });
      }
    }
    return { measurements, series };
  },
};
