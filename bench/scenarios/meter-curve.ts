import type { FleetProcesses } from '#bench/load/fleet-processes.ts';
import { measureLoad } from '#bench/load/measured-load.ts';
import { startBareFleet, startChargingStations } from '#bench/load/start-fleet.ts';
import type { Bench, Measurement, Scenario, Series } from '#bench/scenarios/scenario.ts';

/** Offered rates, as parts of the highest. */
const shares = [0.1, 0.25, 0.5, 0.75, 0.9, 1];

/** Percentiles of the product's latency; of the bare server the last one. */
const percents = [50, 99];

/** Latency of meter values over the rate at which they are offered, up to the highest. */
export const meterCurve: Scenario = {
  name: 'meter-curve',
  describe:
    'time to durable acknowledgement at growing rates up to the highest, open loop, alongside a bare server at the same rates',
  defaults: { duration: 5 },
  async run(bench) {
    const { stations, samples, duration, seed } = bench.load;
    const measurements: Measurement[] = [];
    const topology = bench.topologies[0] ?? 'all-in-one';
    const system = await bench.start(topology);
    const { fleet } = await startChargingStations(bench, system, stations);
    bench.progress('measuring the highest rate');
    const load = { samples, seed, rate: null, seconds: duration };
    const closed = await measureLoad(fleet, load, () => ({}));
    const highest = bench.load.rate ?? closed.result.messages / duration;
    const rates = shares.map((share) => Math.max(1, Math.round(highest * share)));
    const series = await measureCurve(bench, fleet, topology, rates, percents, measurements);
    await bench.stopAll();

    const server = await bench.startYardstick('frames');
    const bareFleet = await startBareFleet(bench, server.ocppUrl, stations);
    const bare = await measureCurve(bench, bareFleet, 'bare uWebSockets.js', rates, [99], measurements);
    return { measurements, series: [...series, ...bare] };
  },
};

/** Measures one subject at each rate; returns a series for each percentile. */
async function measureCurve(
  bench: Bench,
  fleet: FleetProcesses,
  subject: string,
  rates: readonly number[],
  wanted: readonly number[],
  measurements: Measurement[],
): Promise<Series[]> {
  const { samples, duration, seed } = bench.load;
  const series = wanted.map((percent): Series => ({
    name: `${subject}, ${percent === 50 ? 'median' : `P${percent}`}`,
    x: 'messages acknowledged a second',
    y: 'time to acknowledgement, ms',
    points: [],
  }));
  for (const rate of rates) {
    bench.progress(`${subject} at ${rate.toLocaleString('en')} messages a second`);
    const { result } = await measureLoad(fleet, { samples, seed, rate, seconds: duration }, () => ({}));
    const acknowledged = result.messages / duration;
    const values = result.latency.percentiles(...wanted);
    const at = `offered ${rate.toLocaleString('en')}/s`;
    measurements.push({
      subject: at,
      what: `${subject}: messages acknowledged`,
      value: acknowledged,
      unit: '1/s',
    });
    for (const [index, one] of series.entries()) {
      const value = values[index] ?? 0;
      one.points.push([acknowledged, value]);
      measurements.push({ subject: at, what: one.name, value, unit: 'ms' });
    }
  }
  return series;
}
