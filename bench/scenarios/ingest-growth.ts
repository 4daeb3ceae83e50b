import { setTimeout as wait } from 'node:timers/promises';
import { requestJson } from '#bench/load/http.ts';
import { Latencies } from '#bench/load/latencies.ts';
import { cpuPer100k, measureLoad } from '#bench/load/measured-load.ts';
import { startChargingStations } from '#bench/load/start-fleet.ts';
import { listSessions } from '#bench/load/stored-readings.ts';
import { measurementsOf } from '#bench/measurement.ts';
import type { Measurement, Ratio, Scenario, Series } from '#bench/scenario.ts';
import type { ClickHouseHttp } from '#bench/system/clickhouse-http.ts';
import type { System } from '#bench/system/system.ts';

/** Rows of the table at each step, as parts of `--rows`. */
const steps = [0.01, 0.1, 1];

/** Rows of one statement. */
const rowsPerInsert = 5_000_000;

/** Time in which each session gets more than a page of readings, in ms. */
const preloadMs = 8_000;
const preloadSamples = 10;

/** Longest wait for merges, in ms. */
const mergedWithinMs = 30_000;

/** Cost of a reading and time of a read while the table of readings grows. */
export const ingestGrowth: Scenario = {
  name: 'ingest-growth',
  describe: 'cost of storing a reading and time to read a session while the table of readings grows',
  defaults: { stations: 200, duration: 8 },
  async run(bench) {
    const { stations, samples, duration, seed, rows: maxRows } = bench.load;
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
    await fleet.send({ ...preload, fromMs: now, untilMs: now + preloadMs });

    const measurements: Measurement[] = [];
    const cost: Series = {
      name: 'CPU of gateway and ClickHouse',
      x: 'rows stored',
      y: 's for 100,000 readings',
      points: [],
    };
    const read: Series = { name: 'read of a session, median', x: 'rows stored', y: 'ms', points: [] };
    let stored = 0;
    // Compiled code and plans.
    await readSessions(system);
    for (const share of steps) {
      const rows = Math.round(maxRows * share);
      const of = measurementsOf(`${rows.toLocaleString('en')} rows`);
      bench.progress(`making ${rows.toLocaleString('en')} rows`);
      await addRows(system.clickhouse, stored, rows);
      stored = rows;
      await untilMerged(system.clickhouse);
      const { result, usage } = await measureLoad(
        fleet,
        { samples, rate: null, seed, seconds: duration },
        () => system.usage(),
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
      );
    }
    return {
      measurements,
      ratios: [growthOf('cost of a reading', cost, 1.1), growthOf('time of a read', read, 1.3)],
      series: [cost, read],
    };
  },
};

function growthOf(name: string, { points }: Series, atMost: number): Ratio {
  const [first, last] = [points[0]?.[1] ?? 0, points.at(-1)?.[1] ?? 0];
  return { what: `${name} at the end by that at the start`, value: last / first, goal: { atMost } };
}

/** Adds readings of other chargers and of the last two months, 1,000 in a session, inside ClickHouse. */
async function addRows(clickhouse: ClickHouseHttp, from: number, to: number): Promise<void> {
  for (let first = from; first < to; first += rowsPerInsert) {
    const count = Math.min(rowsPerInsert, to - first);
    await clickhouse.run(`
      insert into meter_samples (network_id, charger_id, evse, connector, session_id, time, received_at, context, energy_wh,
        power_w, current_a, voltage_v, soc_percent)
      with ${first} + number as row, intDiv(row, 1000) as session, row % 1000 as reading,
        now64(3) - toIntervalSecond(86400 * (60 - session % 60)) + toIntervalSecond(reading * 10) as moment
      select 1, 1000000 + session % 20000, 1, 1, toUUID(concat(leftPad(hex(session), 8, '0'), '-0000-4000-8000-000000000000')),
        moment, moment, 'Sample.Periodic', session * 20000 + reading * 20, 11000 + rand() % 200, 16 + (rand() % 10) / 10,
        228 + rand() % 5, 20 + reading / 20
      from numbers(${count})`);
  }
}

/** Resolves when ClickHouse merges nothing, or after a while. */
async function untilMerged(clickhouse: ClickHouseHttp): Promise<void> {
  const deadline = performance.now() + mergedWithinMs;
  while (performance.now() < deadline) {
    if ((await clickhouse.value('select count() from system.merges')) === '0') return;
    await wait(500);
  }
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
