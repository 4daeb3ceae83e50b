import { setTimeout as wait } from 'node:timers/promises';
import { measurementsOf, toMiB } from '#bench/report/measurement.ts';
import type { Measurement } from '#bench/scenarios/scenario.ts';
import type { Usage } from '#bench/system/process-usage.ts';
import type { FleetProcesses, SendResult } from './fleet-processes.ts';
import type { MeterLoad } from './fleet-protocol.ts';

/** Time in which compiled code, connections and caches of a process settle before anything is measured. */
const warmUpMs = 3000;

export interface MeasuredLoad {
  result: SendResult;
  seconds: number;
  /** Usage of each process in the measured period; `residentBytes` is that of its end. */
  usage: Map<string, Usage>;
}

/** Sends meter values for a warm-up and a measured period, and reads the usage of processes at both ends of the latter. */
export async function measureLoad(
  fleet: FleetProcesses,
  load: Pick<MeterLoad, 'samples' | 'rate' | 'seed'> & Partial<MeterLoad> & { seconds: number },
  usage: () => Partial<Record<string, Usage>>,
): Promise<MeasuredLoad> {
  const { seconds, ...rest } = load;
  const fromMs = Date.now() + warmUpMs;
  const untilMs = fromMs + seconds * 1000;
  const sending = fleet.send({
    repeatRefusedMs: null,
    keepsAcknowledged: false,
    ...rest,
    fromMs,
    untilMs,
  });
  const reading = readUsage(fromMs, untilMs, usage);
  return { result: await sending, seconds, usage: await reading };
}

async function readUsage(
  fromMs: number,
  untilMs: number,
  usage: () => Partial<Record<string, Usage>>,
): Promise<Map<string, Usage>> {
  await wait(fromMs - Date.now());
  const before = usage();
  await wait(untilMs - Date.now());
  const after = usage();
  return new Map(
    Object.entries(after).flatMap(([role, end]): [string, Usage][] =>
      end === undefined
        ? []
        : [[role, { ...end, cpuSeconds: end.cpuSeconds - (before[role]?.cpuSeconds ?? 0) }]],
    ),
  );
}

/** Returns the numbers of a load: rate, latency, CPU time of each process and of the fleet for 100,000 messages. */
export function loadMeasurements(subject: string, { result, seconds, usage }: MeasuredLoad): Measurement[] {
  const { messages, latency, sentLatency } = result;
  const of = measurementsOf(subject);
  const [median = 0, p99 = 0] = latency.percentiles(50, 99);
  const per100k = (cpuSeconds: number): number => cpuPer100k(cpuSeconds, messages);
  return [
    of('messages acknowledged', messages / seconds, '1/s'),
    of('readings acknowledged', result.samples / seconds, '1/s'),
    of('time to acknowledgement, median', median, 'ms'),
    of('time to acknowledgement, 99th percentile', p99, 'ms'),
    ...(sentLatency.count === 0
      ? []
      : [of('the same from sending, 99th percentile', sentLatency.percentile(99), 'ms')]),
    of('messages refused', result.errors),
    ...(result.unsent === 0 ? [] : [of('messages due and not sent at the end', result.unsent)]),
    ...[...usage].map(([role, { cpuSeconds }]) =>
      of(`CPU of ${role} for 100,000 messages`, per100k(cpuSeconds), 's'),
    ),
    of('CPU of the fleet for 100,000 messages', per100k(result.cpuSeconds), 's'),
    ...[...usage].flatMap(([role, { residentBytes }]) =>
      ['product', 'gateway', 'server'].includes(role)
        ? [of(`resident memory of ${role}`, toMiB(residentBytes), 'MiB')]
        : [],
    ),
  ];
}

export function cpuPer100k(cpuSeconds: number, messages: number): number {
  return (cpuSeconds / Math.max(1, messages)) * 1e5;
}
