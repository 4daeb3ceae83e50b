import { setTimeout as wait } from 'node:timers/promises';
import { bareChargers } from '#bench/load/chargers.ts';
import type { FleetProcesses } from '#bench/load/fleet-processes.ts';
import type { Latencies } from '#bench/load/latencies.ts';
import { cpuPer100k } from '#bench/load/measured-load.ts';
import { startConnectedFleet } from '#bench/load/start-fleet.ts';
import { listSessions } from '#bench/load/stored-readings.ts';
import { measurementsOf } from '#bench/report/measurement.ts';
import type { Bench, Scenario } from '#bench/scenarios/scenario.ts';

const acknowledged = 'sessions started, stopped and acknowledged';
const floorName = 'bare uWebSockets.js';

/** Time in which code is compiled and queries get their plans. */
const warmUpSeconds = 2;

/** Period in which the last sessions are priced, in ms. */
const pricedWithinMs = 60_000;

/** Whole sessions in closed loop: authorize, start, one reading, stop, and the price of each. */
export const sessions: Scenario = {
  name: 'sessions',
  describe:
    'sessions from authorization to the priced record, in closed loop, alongside a bare server that accepts everything',
  defaults: { stations: 200 },
  async run(bench) {
    const floor = await measureFloor(bench);
    const { stations, duration } = bench.load;
    const topology = bench.topologies[0] ?? 'all-in-one';
    const system = await bench.start(topology);
    const { fleet } = await startConnectedFleet(bench, system, stations);
    await live(fleet, system.tokens, warmUpSeconds);
    bench.progress(`${stations} stations with one session after the other`);
    const before = system.usage();
    const startedAt = performance.now();
    const { count, seconds, length, refused } = await live(fleet, system.tokens, duration);
    bench.progress('waiting until all are priced');
    const pricedAt = await untilPriced(() => listSessions(system));
    const after = system.usage();
    const of = measurementsOf(topology);
    const [median = 0, p99 = 0] = length.percentiles(50, 99);
    const rate = count / seconds;
    return {
      measurements: [
        { subject: floorName, what: acknowledged, value: floor, unit: '1/s' },
        of(acknowledged, rate, '1/s'),
        of('sessions from start to priced record', count / ((pricedAt - startedAt) / 1000), '1/s'),
        of('last acknowledgement to last price', (pricedAt - startedAt) / 1000 - seconds, 's'),
        of('length of a session, median', median, 'ms'),
        of('length of a session, 99th percentile', p99, 'ms'),
        of('messages refused', refused, ''),
        ...Object.entries(after).flatMap(([role, usage]) => {
          const earlier = before[role as keyof typeof before]?.cpuSeconds ?? 0;
          return of(
            `CPU of ${role} for a session`,
            cpuPer100k(usage.cpuSeconds - earlier, count) / 100,
            'ms',
          );
        }),
      ],
      ratios: [{ what: 'sessions per second by a bare server that stores nothing', value: rate / floor }],
    };
  },
};

/** Returns sessions per second of a bare server that accepts everything. */
async function measureFloor(bench: Bench): Promise<number> {
  const { stations, duration, seed } = bench.load;
  bench.progress('yardstick bare uWebSockets.js');
  const server = await bench.startYardstick('frames');
  const fleet = bench.startFleet([server.ocppUrl], { size: stations, seed });
  await fleet.connect(bareChargers(stations));
  await live(fleet, ['TOKEN'], warmUpSeconds);
  const { count, seconds } = await live(fleet, ['TOKEN'], duration);
  await bench.stopAll();
  return count / seconds;
}

interface Lived {
  count: number;
  seconds: number;
  length: Latencies;
  refused: number;
}

/** Runs sessions of one reading without a pause, until the last one has ended. */
async function live(fleet: FleetProcesses, tokens: readonly string[], seconds: number): Promise<Lived> {
  const startedAt = performance.now();
  const untilMs = Date.now() + seconds * 1000;
  const { ended, duration, refused } = await fleet.live({
    tokens,
    readings: 1,
    pauseMs: 0,
    cutAtMs: [],
    untilMs,
  });
  return {
    count: ended.reduce((sum, one) => sum + one.sessions, 0),
    seconds: (performance.now() - startedAt) / 1000,
    length: duration,
    refused,
  };
}

/** Returns the time when no completed session waits for its price. */
async function untilPriced(list: () => Promise<{ status: string; priceState: string }[]>): Promise<number> {
  const deadline = performance.now() + pricedWithinMs;
  while (performance.now() < deadline) {
    const all = await list();
    const readAt = performance.now();
    if (
      all.every(
        ({ status, priceState }) => status !== 'COMPLETED' || !['OPEN', 'PENDING'].includes(priceState),
      )
    )
      return readAt;
    await wait(100);
  }
  throw new Error('sessions were not priced within a minute');
}
