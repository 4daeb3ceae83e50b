import { Filler, diskPerRow, untilMerged } from '#bench/load/reading-filler.ts';
import { requestJson } from '#bench/load/http.ts';
import { Latencies } from '#bench/load/latencies.ts';
import { cpuPer100k, measureLoad } from '#bench/load/measured-load.ts';
import { startChargingStations } from '#bench/load/start-fleet.ts';
import { listSessions } from '#bench/load/stored-readings.ts';
import { measurementsOf } from '#bench/report/measurement.ts';
import type { Measurement, Ratio, Scenario, Series } from '#bench/scenarios/scenario.ts';
import type { System } from '#bench/system/system.ts';

/** Rows of the table at each step, as parts of `--rows`. */
const steps = [0.01, 0.1, 1];

/** Messages per second at each step, where `--rate` does not say: the same load, whatever the machine could take. */
const defaultRate = 2000;

/** Time in which each session gets more than a page of readings, in ms. */
const preloadMs = 8_000;
const preloadSamples = 10;

/**
 * Seconds of readings at each step. ClickHouse merges new parts now and then: periods of 10 s alongside the same table differ by
 * four fifths, as a merge falls into them or not.
 */
const stepSeconds = 45;

/** Cost of a reading and time of a read while the table of readings grows. */
export const ingestGrowth: Scenario = {
  name: 'ingest-growth',
  describe:
    'cost of storing a reading and time to read a session while the table of readings grows (to --rows)',
  defaults: { stations: 200, duration: stepSeconds },
  async run(bench) {
    const { stations, samples, duration, seed, rows: maxRows } = bench.load;
    const rate = bench.load.rate ?? defaultRate;
    const system = await bench.startOwn('all-in-one');
    const { fleet } = await startChargingStations(bench, system, stations);
    const now = Date.now();
    const preload = {
      samples: preloadSamples,
      rate: null,
      seed,
      repeatRefusedMs: null,
      keepsAcknowledged: false,
    };
    bench.progress('filling a page of readings of each session');
    await fleet.send({ ...preload, fromMs: now, untilMs: now + preloadMs });

    const measurements: Measurement[] = [];
    const cost: Series = {
      name: 'CPU of gateway and ClickHouse',
      x: 'rows stored',
      y: 's for 100,000 readings',
      points: [],
    };
    const read: Series = { name: 'read of a session, median', x: 'rows stored', y: 'ms', points: [] };
    const filler = new Filler(system.clickhouse, Math.round(maxRows * (steps[0] ?? 1)));
    // Compiled code and plans.
    await readSessions(system);
    for (const share of steps) {
      const rows = Math.round(maxRows * share);
      const of = measurementsOf(`${rows.toLocaleString('en')} rows`);
      await filler.fillTo(rows, (done) =>
        bench.progress(`${done.toLocaleString('en')} of ${rows.toLocaleString('en')} rows made`),
      );
      bench.progress('waiting until ClickHouse has merged them');
      await untilMerged(system.clickhouse);
      bench.progress(`readings with ${rows.toLocaleString('en')} rows`);
      const { result, usage } = await measureLoad(fleet, { samples, rate, seed, seconds: duration }, () =>
        system.usage(),
      );
      const cpuOf = (role: string): number => cpuPer100k(usage.get(role)?.cpuSeconds ?? 0, result.samples);
      const latency = await readSessions(system);
      const total = Number(await system.clickhouse.value('select count() from meter_samples'));
      const [median = 0, p99 = 0] = latency.percentiles(50, 99);
      cost.points.push([total, cpuOf('product') + cpuOf('ClickHouse')]);
      read.points.push([total, median]);
      measurements.push(
        of('rows stored', total),
        of('readings acknowledged', result.samples / duration, '1/s'),
        of('CPU of product for 100,000 readings', cpuOf('product'), 's'),
        of('CPU of ClickHouse for 100,000 readings', cpuOf('ClickHouse'), 's'),
        of('read of a page of readings of a session, median', median, 'ms'),
        of('read of a page of readings of a session, 99th percentile', p99, 'ms'),
        of('disk for a reading', await diskPerRow(system.clickhouse, 'meter_samples'), 'B'),
        of('disk for a call in the message log', await diskPerRow(system.clickhouse, 'ocpp_messages'), 'B'),
      );
    }
    return {
      measurements,
      ratios: [growthOf('cost of a reading', cost, 1.1), growthOf('time of a read', read, 1.3)],
      series: [cost, read],
      notes: [
        'The rows are made inside ClickHouse, in parts too large to be merged during the run. New readings are merged as ' +
          'in production, but the cost of merging ever larger parts, which grows with the logarithm of the table, is not included.',
      ],
    };
  },
};

function growthOf(name: string, { points }: Series, atMost: number): Ratio {
  const [first, last] = [points[0]?.[1] ?? 0, points.at(-1)?.[1] ?? 0];
  return { what: `${name} at the end by that at the start`, value: last / first, goal: { atMost } };
}

/** Reads one page of the readings of each running session, once: they have changed since the last time. */
async function readSessions(system: System): Promise<Latencies> {
  const latency = new Latencies();
  for (const { id } of await listSessions(system)) {
    const startedAt = performance.now();
    await requestJson(system, system.emspKey, `/emsp/v1/charging/sessions/${id}/meter-values`);
    latency.record(performance.now() - startedAt);
  }
  return latency;
}
