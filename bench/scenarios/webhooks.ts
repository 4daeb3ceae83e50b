import { setTimeout as wait } from 'node:timers/promises';
import { callsLoopback } from '#bench/load/roaming-partner.ts';
import { startWebhookReceivers } from '#bench/load/webhook-receivers.ts';
import { measurementsOf } from '#bench/report/measurement.ts';
import type { Scenario } from '#bench/scenarios/scenario.ts';

/** Events per second where `--rate` does not say. Each goes to all healthy endpoints. */
const defaultRate = 20;

/** Chargers that the events concern in turn. */
const chargers = 200;

const healthy = 90;
const dead = 10;

/** Time for the last events to arrive, in ms. */
const lateMs = 60_000;

/** Delivery of events to 100 webhooks of one network, of which 10 are dead. */
export const webhooks: Scenario = {
  name: 'webhooks',
  describe:
    'events to 100 webhooks of one network, of which 10 are dead: delay at the healthy ones, and losses',
  defaults: { duration: 30 },
  async run(bench) {
    const system = await bench.startOwn('split', { env: callsLoopback });
    await system.addChargers(chargers);
    bench.progress('registering webhooks');
    const receivers = await startWebhookReceivers(system, { healthy, dead });
    try {
      const rate = bench.load.rate ?? defaultRate;
      bench.progress(`writing ${rate} events a second`);
      const cpuBefore = system.usage().api?.cpuSeconds ?? 0;
      const startedAt = performance.now();
      const written = rate * bench.load.duration;
      await system.writeEvents({ rate, seconds: bench.load.duration, prefix: 'FLEET' });
      const writtenAt = performance.now();
      const isComplete = () => receivers.arrived().every((count) => count >= written);
      while (!isComplete() && performance.now() - writtenAt < lateMs) await wait(100);
      const seconds = (performance.now() - startedAt) / 1000;
      const cpuSeconds = (system.usage().api?.cpuSeconds ?? 0) - cpuBefore;
      const [median = 0, p99 = 0, longest = 0] = receivers.delays.percentiles(50, 99, 100);
      const lost = receivers.arrived().reduce((sum, count) => sum + written - count, 0);
      const of = measurementsOf(`${healthy} healthy and ${dead} dead webhooks`);
      return {
        measurements: [
          of('events written', written / bench.load.duration, '1/s'),
          of('deliveries', receivers.delays.count / seconds, '1/s'),
          of('delay at healthy webhooks, median', median, 'ms'),
          of('delay at healthy webhooks, 99th percentile', p99, 'ms'),
          of('delay at healthy webhooks, longest', longest, 'ms'),
          of('deliveries lost', lost),
          of('deliveries repeated', receivers.repeated()),
          of('requests to webhooks that never answer', receivers.hanging()),
          of('CPU of the API for a delivery', (cpuSeconds * 1000) / receivers.delays.count, 'ms'),
        ],
        ratios: [
          { what: 'p99 delay at healthy webhooks, ms', value: p99, goal: { atMost: 2000 } },
          { what: 'deliveries lost', value: lost, goal: { atMost: 0 } },
        ],
      };
    } finally {
      await receivers.stop();
    }
  },
};
