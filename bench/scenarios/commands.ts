import { setTimeout as wait } from 'node:timers/promises';
import { createRandom } from '#bench/fleet/random.ts';
import type { RegisteredCharger } from '#bench/load/chargers.ts';
import { requestJson } from '#bench/load/http.ts';
import { Latencies } from '#bench/load/latencies.ts';
import { startConnectedFleet } from '#bench/load/start-fleet.ts';
import { measurementsOf } from '#bench/measurement.ts';
import type { Bench, Measurement, Ratio, Scenario } from '#bench/scenario.ts';
import type { System } from '#bench/system/system.ts';

/** Commands per second where `--rate` does not say: what a large network sends. */
const defaultRate = 100;

/** Commands that warm both sides up, in s. */
const warmUpSeconds = 3;

/** Commands of an operator to connected chargers, in open loop. */
export const commands: Scenario = {
  name: 'commands',
  describe:
    'operator commands from the API over the gateway to the charger and back, with many chargers connected',
  defaults: { stations: 10_000 },
  async run(bench) {
    const measurements: Measurement[] = [];
    const ratios: Ratio[] = [];
    for (const topology of bench.topologies) {
      const system = await bench.start(topology);
      const { fleet, chargers } = await startConnectedFleet(bench, system, bench.load.stations);
      const rate = bench.load.rate ?? defaultRate;
      await sendCommands(bench, system, chargers, rate, warmUpSeconds);
      const { latency, failed } = await sendCommands(bench, system, chargers, rate, bench.load.duration);
      const { meanMs } = await fleet.answeredCommands();
      const [median = 0, p99 = 0] = latency.percentiles(50, 99);
      const of = measurementsOf(topology);
      measurements.push(
        of('commands answered', latency.count / bench.load.duration, '1/s'),
        of('API to charger and back, median', median, 'ms'),
        of('API to charger and back, 99th percentile', p99, 'ms'),
        of("the charger's own answer, mean", meanMs, 'ms'),
        of('commands failed', failed, ''),
      );
      ratios.push({
        what: `p99 of a command above the charger's own answer (${topology}), ms`,
        value: p99 - meanMs,
        goal: { atMost: 15 },
      });
      await bench.stopAll();
    }
    return { measurements, ratios };
  },
};

/** Sends commands at fixed times to random chargers; latency counts from those times. */
async function sendCommands(
  bench: Bench,
  system: System,
  chargers: readonly RegisteredCharger[],
  rate: number,
  seconds: number,
): Promise<{ latency: Latencies; failed: number }> {
  const random = createRandom(bench.load.seed);
  const latency = new Latencies();
  const sent: Promise<void>[] = [];
  let failed = 0;
  const send = async (intendedAt: number): Promise<void> => {
    const charger = chargers[Math.floor(random() * chargers.length)];
    const path = `/cpms/v1/chargers/${charger?.id}/trigger-message`;
    try {
      const { data } = await requestJson<{ data: { accepted: boolean } }>(system, system.operatorKey, path, {
        requestedMessage: 'Heartbeat',
      });
      if (!data.accepted) failed++;
      latency.record(performance.now() - intendedAt);
    } catch {
      failed++;
    }
  };
  const startedAt = performance.now();
  for (let number = 0; number < rate * seconds; number++) {
    const intendedAt = startedAt + (number * 1000) / rate;
    const early = intendedAt - performance.now();
    if (early > 0) await wait(early);
    sent.push(send(intendedAt));
    bench.progress(`${latency.count} commands answered, ${failed} failed`);
  }
  await Promise.all(sent);
  return { latency, failed };
}
