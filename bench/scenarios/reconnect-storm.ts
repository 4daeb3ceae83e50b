import { registerChargers } from '#bench/load/chargers.ts';
import type { Bench, Measurement, Scenario, Series } from '#bench/scenario.ts';

/** Width of a step of the storm's chart, in ms. */
const stepMs = 250;

/**
 * A fleet whose gateway is killed and started again: every station connects, authenticates and boots as soon as it can.
 * 19,500 stations are what one process takes where it may open 20,000 files.
 */
export const reconnectStorm: Scenario = {
  name: 'reconnect-storm',
  describe:
    'time until all stations are connected and booted after kill -9 of the process, beside bare upgrades',
  defaults: { stations: 19_500 },
  async run(bench) {
    const { load } = bench;
    const bare = await measureUpgrades(bench);
    const system = await bench.startOwn('all-in-one');
    const chargers = await registerChargers(system, load.stations);
    const fleet = bench.startFleet(system.ocppUrls, { size: load.stations, seed: load.seed, yields: true });
    const connectedAt = Date.now();
    await fleet.connect(chargers);
    const connectMs = Date.now() - connectedAt;

    const back = fleet.comeBack();
    const killedAt = Date.now();
    await system.restart();
    const readyAt = Date.now();
    // Resets the metrics: values count from now on.
    await system.metrics();
    const cpuBefore = system.usage().product?.cpuSeconds ?? 0;
    const bootedAt = (await back).toSorted((a, b) => a - b);
    const metrics = await system.metrics();
    const cpu = (system.usage().product?.cpuSeconds ?? 0) - cpuBefore;
    const since = (moment: number, share: number): number =>
      ((bootedAt[Math.ceil(bootedAt.length * share) - 1] ?? 0) - moment) / 1000;
    const rate = bootedAt.length / since(readyAt, 1);
    return {
      measurements: [
        product('stations', bootedAt.length, ''),
        product('connected and booted at first', load.stations / (connectMs / 1000), '1/s'),
        product('from kill -9 until the process was ready again', (readyAt - killedAt) / 1000, 's'),
        product('from then until half were back and booted', since(readyAt, 0.5), 's'),
        product('from then until all were', since(readyAt, 1), 's'),
        product('from kill -9 until all were', since(killedAt, 1), 's'),
        product('stations back and booted', rate, '1/s'),
        ...loopDelays(metrics).map(({ what, value }) => product(what, value, 'ms')),
        product('CPU of the process meanwhile', cpu, 's'),
        { subject: 'bare uWebSockets.js', what: 'upgrades', value: bare, unit: '1/s' },
      ],
      ratios: [
        {
          what: 'stations back and booted per second by bare upgrades per second',
          value: rate / bare,
          goal: { atLeast: 0.25 },
        },
      ],
      series: [stormSeries(bootedAt, readyAt)],
    };
  },
};

function product(what: string, value: number, unit: string): Measurement {
  return { subject: 'product', what, value, unit };
}

/** Returns upgrades per second of a bare server, with the same client. */
async function measureUpgrades(bench: Bench): Promise<number> {
  const { stations, seed } = bench.load;
  const server = await bench.startYardstick('upgrades');
  const fleet = bench.startFleet([server.ocppUrl], { size: stations, seed, yields: true });
  // Compiled code and the first connections of both sides.
  await fleet.upgrade(Math.min(500, stations));
  const startedAt = Date.now();
  const upgradedAt = await fleet.upgrade(stations);
  await bench.stopAll();
  return upgradedAt.length / ((Math.max(...upgradedAt) - startedAt) / 1000);
}

/** Stations that are back, over time. */
function stormSeries(bootedAt: readonly number[], readyAt: number): Series {
  const points: [number, number][] = [[0, 0]];
  const last = bootedAt.at(-1) ?? readyAt;
  for (let end = readyAt + stepMs; end < last + stepMs; end += stepMs) {
    points.push([(end - readyAt) / 1000, bootedAt.filter((moment) => moment <= end).length]);
  }
  return { name: 'stations back', x: 'seconds after the process was ready', y: 'stations booted', points };
}

/** The delay of the slowest shard's loop while the stations came back, in ms. */
function loopDelays(metrics: string): { what: string; value: number }[] {
  return ['0.5', '0.99', '1'].map((quantile) => {
    const line = new RegExp(
      `^chargeway_shard_loop_delay_seconds\\{.*quantile="${quantile}".*\\} (\\S+)$`,
      'gm',
    );
    const seconds = [...metrics.matchAll(line)].map((match) => Number(match[1]));
    return {
      what: `loop delay of the slowest shard, ${quantile === '1' ? 'longest' : `quantile ${quantile}`}`,
      value: Math.max(...seconds) * 1000,
    };
  });
}
