import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { createRandom } from '#shared/simulator/random.ts';
import type { RegisteredCharger } from '#bench/load/chargers.ts';
import { requestJson } from '#bench/load/http.ts';
import { Latencies } from '#bench/load/latencies.ts';
import { type AnsweredCommand, withoutAnswerTimes } from '#bench/load/own-share.ts';
import { startConnectedFleet } from '#bench/load/start-fleet.ts';
import { measurementsOf } from '#bench/report/measurement.ts';
import type { Bench, Measurement, Ratio, Scenario } from '#bench/scenarios/scenario.ts';
import type { System } from '#bench/system/system.ts';

/** Commands per second where `--rate` does not say: what a large network sends. */
const defaultRate = 100;

/**
 * Commands that warm both sides up, in s. Within this time the new processes compile their code and their heaps reach their
 * size: a process serves for days.
 */
const warmUpSeconds = 10;

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
      await fleet.answeredCommands();
      const delay = monitorEventLoopDelay({ resolution: 1 });
      delay.enable();
      const { answered, failed } = await sendCommands(bench, system, chargers, rate, bench.load.duration);
      delay.disable();
      const answers = await fleet.answeredCommands();
      const latency = new Latencies();
      for (const { ms } of answered) latency.record(ms);
      const own = new Latencies();
      for (const { ms } of answers) own.record(ms);
      const [median = 0, p99 = 0] = latency.percentiles(50, 99);
      const above = withoutAnswerTimes(answered, answers).percentile(99);
      const of = measurementsOf(topology);
      measurements.push(
        of('commands answered', latency.count / bench.load.duration, '1/s'),
        of('API to charger and back, median', median, 'ms'),
        of('API to charger and back, 99th percentile', p99, 'ms'),
        of("the charger's own answer, median", own.percentile(50), 'ms'),
        of("the charger's own answer, 99th percentile", own.percentile(99), 'ms'),
        of("above the charger's own answer, 99th percentile", above, 'ms'),
        of("delay of the client's own event loop, 99th percentile", delay.percentile(99) / 1e6 - 1, 'ms'),
        of('commands failed', failed, ''),
      );
      ratios.push({
        what: `p99 of a command above the charger's own answer (${topology}), ms`,
        value: above,
        goal: { atMost: 15 },
      });
      await bench.stopAll();
    }
    return { measurements, ratios };
  },
};

/**
 * Sends commands at fixed times to random chargers, whether earlier ones were answered or not. The time of a command begins when
 * it is sent: a late timer of this process is no time of the product, and delays no other command.
 */
async function sendCommands(
  bench: Bench,
  system: System,
  chargers: readonly RegisteredCharger[],
  rate: number,
  seconds: number,
): Promise<{ answered: AnsweredCommand[]; failed: number }> {
  const random = createRandom(bench.load.seed);
  const answered: AnsweredCommand[] = [];
  const sent: Promise<void>[] = [];
  let failed = 0;
  const send = async ({ id, uid }: RegisteredCharger): Promise<void> => {
    const sentAt = performance.now();
    try {
      const path = `/cpms/v1/chargers/${id}/trigger-message`;
      const { data } = await requestJson<{ data: { accepted: boolean } }>(system, system.operatorKey, path, {
        requestedMessage: 'Heartbeat',
      });
      answered.push({ uid, ms: performance.now() - sentAt, sentAt });
      if (!data.accepted) failed++;
    } catch {
      failed++;
    }
  };
  const startedAt = performance.now();
  for (let number = 0; number < rate * seconds; number++) {
    const early = startedAt + (number * 1000) / rate - performance.now();
    if (early > 0) await wait(early);
    const charger = chargers[Math.floor(random() * chargers.length)];
    if (charger !== undefined) sent.push(send(charger));
    bench.progress(`${answered.length} commands answered, ${failed} failed`);
  }
  await Promise.all(sent);
  return { answered, failed };
}
