import { setTimeout as wait } from 'node:timers/promises';
import { registerChargers } from '#bench/chargers.ts';
import { startFleetProcesses } from '#bench/fleet-processes.ts';
import type { Product } from '#bench/product.ts';
import type { Measurement, Scenario } from '#bench/scenario.ts';

/**
 * Memory is read when it has not changed by more than `stillBytes` for that long, or after `maxIdleMs`: a thread that
 * idles gives back what it does not need, though not at once: tens of MB some 35 s after its last work.
 */
const idleMs = 45_000;
const stillBytes = 4 * 2 ** 20;
const maxIdleMs = 180_000;

/** The first stations pay for what a process needs once: compiled code, connections to the stores. */
const firstStations = 500;

/**
 * A fleet that idles, and whose gateway is killed and started again: every station connects, authenticates and
 * boots as soon as it can. `--stations 19500` is what one process takes where it may open 20,000 files.
 */
export const reconnectStorm: Scenario = {
  name: 'reconnect-storm',
  describe: 'memory of idle stations, and how fast all are back after kill -9 of the process',
  async run(product, load) {
    const chargers = await registerChargers(product, load.stations);
    // A fresh process, so that its memory is that of the stations and not of their registration.
    await product.restart();
    const fleet = startFleetProcesses(product, load.stations);
    try {
      const first = Math.min(firstStations, Math.floor(load.stations / 10));
      await fleet.connect(chargers.slice(0, first));
      const residentFirst = await residentWhenIdle(product);
      const connectedAt = Date.now();
      await fleet.connect(chargers.slice(first));
      const connectMs = Date.now() - connectedAt;
      const residentAll = await residentWhenIdle(product);

      const back = fleet.comeBack();
      const killedAt = Date.now();
      await product.restart();
      const readyAt = Date.now();
      // Resets the metrics: values count from now on.
      await product.metrics();
      const cpuBefore = product.cpuSeconds();
      const bootedAt = (await back).toSorted((a, b) => a - b);
      const storm = await product.metrics();
      const cpu = product.cpuSeconds() - cpuBefore;
      const residentAfter = await residentWhenIdle(product);
      const since = (moment: number, share: number): number =>
        ((bootedAt[Math.ceil(bootedAt.length * share) - 1] ?? 0) - moment) / 1000;
      return [
        { what: 'stations', value: bootedAt.length, unit: '' },
        {
          what: 'connected and booted at first',
          value: (load.stations - first) / (connectMs / 1000),
          unit: '1/s',
        },
        {
          what: 'resident memory per idle station',
          value: (residentAll - residentFirst) / (load.stations - first) / 1024,
          unit: 'KiB',
        },
        {
          what: 'from kill -9 until the process was ready again',
          value: (readyAt - killedAt) / 1000,
          unit: 's',
        },
        { what: 'from then until half were back and booted', value: since(readyAt, 0.5), unit: 's' },
        { what: 'from then until all were', value: since(readyAt, 1), unit: 's' },
        { what: 'from kill -9 until all were', value: since(killedAt, 1), unit: 's' },
        ...loopDelays(storm),
        { what: 'CPU of the process meanwhile', value: cpu, unit: 's' },
        { what: 'resident memory of the process after it', value: residentAfter / 2 ** 20, unit: 'MiB' },
      ];
    } finally {
      await fleet.close();
    }
  },
};

/** Resident memory (bytes) when what starts and connections left behind is collected: garbage goes when a thread idles. */
async function residentWhenIdle(product: Product): Promise<number> {
  const deadline = performance.now() + maxIdleMs;
  let still = product.residentBytes();
  let stillSince = performance.now();
  while (performance.now() < Math.min(stillSince + idleMs, deadline)) {
    await wait(500);
    const now = product.residentBytes();
    if (Math.abs(now - still) <= stillBytes) continue;
    still = now;
    stillSince = performance.now();
  }
  return product.residentBytes();
}

/** The delay of the slowest shard's loop while the stations came back. */
function loopDelays(metrics: string): Measurement[] {
  return ['0.5', '0.99', '1'].map((quantile) => {
    const line = new RegExp(
      `^chargeway_shard_loop_delay_seconds\\{.*quantile="${quantile}".*\\} (\\S+)$`,
      'gm',
    );
    const seconds = [...metrics.matchAll(line)].map((match) => Number(match[1]));
    return {
      what: `loop delay of the slowest shard, ${quantile === '1' ? 'longest' : `quantile ${quantile}`}`,
      value: Math.max(...seconds) * 1000,
      unit: 'ms',
    };
  });
}
