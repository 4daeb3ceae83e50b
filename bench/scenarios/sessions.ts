import { setTimeout as wait } from 'node:timers/promises';
import { cpuPer100k } from '#bench/load/measured-load.ts';
import { startConnectedFleet } from '#bench/load/start-fleet.ts';
import { listSessions } from '#bench/load/stored-readings.ts';
import { measurementsOf } from '#bench/measurement.ts';
import type { Scenario } from '#bench/scenario.ts';

/** Period in which the last sessions are priced, in ms. */
const pricedWithinMs = 60_000;

/** Whole sessions in closed loop: authorize, start, one reading, stop, and the price of each. */
export const sessions: Scenario = {
  name: 'sessions',
  describe: 'sessions from authorization to the priced record, in closed loop',
  defaults: { stations: 200 },
  async run(bench) {
    const { stations, duration } = bench.load;
    const topology = bench.topologies[0] ?? 'all-in-one';
    const system = await bench.start(topology);
    const { fleet } = await startConnectedFleet(bench, system, stations);
    const load = { tokens: system.tokens, readings: 1, pauseMs: 0, cutAtMs: [] };
    // Compiled code and plans of queries.
    await fleet.live({ ...load, untilMs: Date.now() + 2000 });
    const before = system.usage();
    const startedAt = performance.now();
    const {
      ended,
      duration: length,
      refused,
    } = await fleet.live({ ...load, untilMs: Date.now() + duration * 1000 });
    const seconds = (performance.now() - startedAt) / 1000;
    const count = ended.reduce((sum, one) => sum + one.sessions, 0);
    const pricedAt = await untilPriced(() => listSessions(system));
    const after = system.usage();
    const of = measurementsOf(topology);
    const [median = 0, p99 = 0] = length.percentiles(50, 99);
    return {
      measurements: [
        of('sessions started, stopped and acknowledged', count / seconds, '1/s'),
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
    };
  },
};

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
