import { cpuPer100k, loadMeasurements, type MeasuredLoad, measureLoad } from '#bench/load/measured-load.ts';
import { startBareFleet, startChargingStations } from '#bench/load/start-fleet.ts';
import type { Bench, Measurement, Ratio, Scenario } from '#bench/scenarios/scenario.ts';
import type { Usage } from '#bench/system/process-usage.ts';
import { countInserts, insertMeasurements, partsWritten } from '#bench/system/parts.ts';
import { servingRole, type System, type Topology } from '#bench/system/system.ts';
import { insertBareRows } from '#bench/yardsticks/clickhouse-inserts.ts';
import type { YardstickName } from '#bench/yardsticks/start.ts';

/** Part of the highest rate at which the steady load is offered, where `--rate` does not say. */
const steadyShare = 0.5;

/** Inserts of the bare yardstick. */
const bareInserts = 10;

/** CPU time and rate of a yardstick or of the product in closed loop. */
interface Closed {
  cpu: number;
  rate: number;
}

/**
 * MeterValues and TransactionEvent to durable acknowledgement. Closed loop: every station has one message in flight and
 * sends the next when the last is acknowledged. Steady: messages are sent at fixed times, and latency counts from there.
 */
export const meterValues: Scenario = {
  name: 'meter-values',
  describe:
    'readings of running sessions to durable acknowledgement, half of the fleet each OCPP version, ' +
    'closed loop and steady, alongside bare servers',
  async run(bench) {
    const measurements: Measurement[] = [];
    const ratios: Ratio[] = [];
    const floor = await measureYardstick(bench, 'frames', 'bare uWebSockets.js', measurements);
    const library = await measureYardstick(bench, 'ocpp-rpc', 'ocpp-rpc', measurements);
    ratios.push({ what: 'CPU of ocpp-rpc for a message by the floor', value: library.cpu / floor.cpu });
    for (const topology of bench.topologies) {
      const closed = await measureSystem(bench, topology, measurements, ratios);
      if (closed !== null) ratios.push(...closedRatios(topology, closed, floor));
    }
    return { measurements, ratios };
  },
};

function closedRatios(topology: Topology, closed: Closed, floor: Closed): Ratio[] {
  const name = `${servingRole(topology)} (${topology})`;
  return [
    {
      what: `CPU of ${name} for a message by the floor`,
      value: closed.cpu / floor.cpu,
      goal: { atMost: 2.5 },
    },
    { what: `messages per second of ${name} by the floor`, value: closed.rate / floor.rate },
  ];
}

async function measureYardstick(
  bench: Bench,
  name: YardstickName,
  subject: string,
  measurements: Measurement[],
): Promise<Closed> {
  bench.progress(`yardstick ${subject}`);
  const { stations, duration, samples, seed } = bench.load;
  const server = await bench.startYardstick(name);
  const fleet = await startBareFleet(bench, server.ocppUrl, stations);
  const load = { samples, rate: null, seed, seconds: duration };
  const measured = await measureLoad(fleet, load, () => ({ server: server.usage() }));
  measurements.push(...loadMeasurements(subject, measured));
  await bench.stopAll();
  return closedOf(measured, measured.usage.get('server'));
}

function closedOf({ result, seconds }: MeasuredLoad, usage: Usage | undefined): Closed {
  return { cpu: cpuPer100k(usage?.cpuSeconds ?? 0, result.messages), rate: result.messages / seconds };
}

/** Returns the closed loop's cost, null where the processes are not accessible. */
async function measureSystem(
  bench: Bench,
  topology: Topology,
  measurements: Measurement[],
  ratios: Ratio[],
): Promise<Closed | null> {
  const { stations, duration, samples, seed } = bench.load;
  const system = await bench.start(topology);
  const { fleet } = await startChargingStations(bench, system, stations);

  const measure = async (subject: string, rate: number | null): Promise<MeasuredLoad> => {
    const before = await countInserts(system);
    const startedAt = performance.now();
    const measured = await measureLoad(fleet, { samples, rate, seed, seconds: duration }, () =>
      system.usage(),
    );
    const seconds = (performance.now() - startedAt) / 1000;
    measurements.push(...loadMeasurements(subject, measured));
    measurements.push(
      ...insertMeasurements(subject, partsWritten(before, await countInserts(system)), seconds),
    );
    return measured;
  };
  const closed = await measure(`${topology}, closed loop`, null);
  const highest = closed.result.messages / duration;
  const rate = bench.load.rate ?? Math.max(1, Math.round(highest * steadyShare));
  const steady = await measure(`${topology}, steady ${rate.toLocaleString('en')}/s`, rate);
  ratios.push({
    what: `p99 to acknowledgement of ${topology} at ${rate.toLocaleString('en')}/s, ms`,
    value: steady.result.latency.percentile(99),
    goal: { atMost: 250 },
  });
  const serving = closed.usage.get(servingRole(topology));
  if (topology !== 'split') await measureInserts(system, closed, measurements, ratios);
  await bench.stopAll();
  return serving === undefined ? null : closedOf(closed, serving);
}

/** Measures bare inserts of the same rows into the same ClickHouse. */
async function measureInserts(
  system: System,
  closed: MeasuredLoad,
  measurements: Measurement[],
  ratios: Ratio[],
): Promise<void> {
  const product = closed.usage.get('ClickHouse');
  if (system.clickhouse === null || product === undefined) return;
  const usage = (): Usage => system.usage().ClickHouse ?? { cpuSeconds: 0, residentBytes: 0 };
  const bare = await insertBareRows(system.clickhouse, usage, bareInserts);
  if (bare === null) return;
  const subject = 'bare inserts';
  const cpu = cpuPer100k(bare.cpuSeconds, bare.rows);
  measurements.push(
    { subject, what: 'readings acknowledged', value: bare.rows / bare.seconds, unit: '1/s' },
    { subject, what: 'CPU of ClickHouse for 100,000 readings', value: cpu, unit: 's' },
  );
  ratios.push({
    what: 'CPU of ClickHouse for a reading (all-in-one) by bare inserts',
    value: cpuPer100k(product.cpuSeconds, closed.result.samples) / cpu,
  });
}
