import { setTimeout as wait } from 'node:timers/promises';
import { measurementsOf, toMiB } from '#bench/report/measurement.ts';
import type { Scenario } from '#bench/scenarios/scenario.ts';

/** Time after the start in which compilation and first work end, in ms. */
const settlingMs = 40_000;

/** Period of the measurement, in ms. */
const idleMs = 60_000;

/** CPU and memory of a system of one process without stations, requests and history. */
export const idleSystem: Scenario = {
  name: 'idle-system',
  describe: 'CPU and memory of all processes of a system without stations and requests',
  async run(bench) {
    const system = await bench.startOwn('all-in-one');
    bench.progress('the system is idle');
    await wait(settlingMs);
    const before = system.usage();
    await wait(idleMs);
    const used = Object.entries(system.usage()).map(([role, { cpuSeconds, residentBytes }]) => ({
      role,
      percent: (cpuSeconds - (before[role as keyof typeof before]?.cpuSeconds ?? 0)) / (idleMs / 1e5),
      mebibytes: toMiB(residentBytes),
    }));
    const total = used.reduce((sum, { percent }) => sum + percent, 0);
    const memoryOf = (name: string): number => used.find(({ role }) => role === name)?.mebibytes ?? 0;
    return {
      measurements: used.flatMap(({ role, percent, mebibytes }) => {
        const of = measurementsOf(role);
        return [of('CPU while idle', percent, '% of a core'), of('resident memory', mebibytes, 'MiB')];
      }),
      ratios: [
        { what: 'CPU of all processes of an idle system, % of a core', value: total, goal: { atMost: 1 } },
        { what: 'memory of an idle product, MiB', value: memoryOf('product'), goal: { atMost: 172 } },
        { what: 'memory of an idle ClickHouse, MiB', value: memoryOf('ClickHouse'), goal: { atMost: 210 } },
      ],
    };
  },
};
