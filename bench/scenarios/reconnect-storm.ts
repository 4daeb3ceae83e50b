import { bareChargers } from '#bench/load/chargers.ts';
import type { Bench, Measurement, Scenario, Series } from '#bench/scenarios/scenario.ts';
import type { System } from '#bench/system/system.ts';

/** Width of a step of the storm's chart, in ms. */
const stepMs = 250;

/**
 * A fleet whose gateway is killed and started again: every station connects, authenticates and boots as soon as it can.
 * 19,500 stations are what one process takes where it may open 20,000 files.
 */
export const reconnectStorm: Scenario = {
  name: 'reconnect-storm',
  describe:
    'time until all stations are connected and booted after kill -9 of the process, alongside bare upgrades',
  defaults: { stations: 19_500 },
  async run(bench) {
    const { load } = bench;
    const bare = await measureUpgrades(bench);
    const system = await bench.startOwn('all-in-one');
    const chargers = await system.addChargers(load.stations);
    const fleet = bench.startFleet(system.ocppUrls, { size: load.stations, seed: load.seed });
    const connectedAt = Date.now();
    const first = await fleet.storm(chargers, true);

    const back = fleet.comeBack();
    const killedAt = Date.now();
    await system.restart();
    const readyAt = Date.now();
    // Resets the metrics: values count from now on.
    await system.metrics();
    const before = system.usage();
    const { upgradedAt, bootedAt, reportedAt, cpuSeconds } = await back;
    const metrics = await system.metrics();
    const after = system.usage();
    const rate = bootedAt.length / secondsUntil(bootedAt, readyAt);
    return {
      measurements: [
        product('stations', bootedAt.length, ''),
        product(
          'connected and booted at first',
          load.stations / secondsUntil(first.bootedAt, connectedAt),
          '1/s',
        ),
        product('from kill -9 until the process was ready again', (readyAt - killedAt) / 1000, 's'),
        product('from then until half were back and booted', secondsUntil(bootedAt, readyAt, 0.5), 's'),
        product('from then until all were connected', secondsUntil(upgradedAt, readyAt), 's'),
        product('from then until all were booted', secondsUntil(bootedAt, readyAt), 's'),
        product('from then until all had their status stored', secondsUntil(reportedAt, readyAt), 's'),
        product('from kill -9 until all were booted', secondsUntil(bootedAt, killedAt), 's'),
        product('stations back and booted', rate, '1/s'),
        ...loopDelays(metrics).map(({ what, value }) => product(what, value, 'ms')),
        ...cpuBetween(before, after),
        product('CPU of the fleet meanwhile', cpuSeconds, 's'),
        ...bare.measurements,
      ],
      ratios: [
        {
          what: 'stations back and booted per second by bare upgrades per second',
          value: rate / bare.rate,
          goal: { atLeast: 0.25 },
        },
        {
          what: 'the same with their status stored',
          value: reportedAt.length / secondsUntil(reportedAt, readyAt) / bare.rate,
        },
      ],
      series: [stormSeries(bootedAt, readyAt)],
    };
  },
};

/** Returns seconds until this share of the stations was there. */
function secondsUntil(times: readonly number[], since: number, share = 1): number {
  return ((times[Math.ceil(times.length * share) - 1] ?? 0) - since) / 1000;
}

function cpuBetween(before: ReturnType<System['usage']>, after: ReturnType<System['usage']>): Measurement[] {
  return (['product', 'PostgreSQL', 'ClickHouse'] as const).map((role) =>
    product(
      `CPU of ${role === 'product' ? 'the process' : role} meanwhile`,
      (after[role]?.cpuSeconds ?? 0) - (before[role]?.cpuSeconds ?? 0),
      's',
    ),
  );
}

function product(what: string, value: number, unit: string): Measurement {
  return { subject: 'product', what, value, unit };
}

/**
 * Measures upgrades of a bare server by the same fleet, after a tenth of its stations: both sides have compiled code then.
 * Counted from the first upgrade of the rest, because the fleet creates its stations first.
 */
async function measureUpgrades(bench: Bench): Promise<{ rate: number; measurements: Measurement[] }> {
  const { stations, seed } = bench.load;
  const chargers = bareChargers(stations);
  const server = await bench.startYardstick('upgrades');
  const fleet = bench.startFleet([server.ocppUrl], { size: stations, seed });
  const first = Math.ceil(stations / 10);
  await fleet.storm(chargers.slice(0, first), false);
  const before = server.usage().cpuSeconds;
  const { upgradedAt, cpuSeconds } = await fleet.storm(chargers.slice(first), false);
  const rate = upgradedAt.length / secondsUntil(upgradedAt, upgradedAt[0] ?? 0);
  const serverSeconds = server.usage().cpuSeconds - before;
  await bench.stopAll();
  const subject = 'bare uWebSockets.js';
  return {
    rate,
    measurements: [
      { subject, what: 'upgrades', value: rate, unit: '1/s' },
      { subject, what: 'CPU of the process meanwhile', value: serverSeconds, unit: 's' },
      { subject, what: 'CPU of the fleet meanwhile', value: cpuSeconds, unit: 's' },
    ],
  };
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
