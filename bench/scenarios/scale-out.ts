import { setTimeout as wait } from 'node:timers/promises';
import { type RegisteredCharger, registerChargers } from '#bench/load/chargers.ts';
import type { FleetProcesses } from '#bench/load/fleet-processes.ts';
import { loadMeasurements, type MeasuredLoad, measureLoad } from '#bench/load/measured-load.ts';
import { measurementsOf, toMiB } from '#bench/report/measurement.ts';
import { formatNumber } from '#bench/report/number-format.ts';
import type { Bench, Measurement, Scenario, Series } from '#bench/scenarios/scenario.ts';
import { byRole, type ByRole, type CpuCosts, sizedRoles } from '#bench/sizing/costs.ts';
import { fittedCosts, fittedMeasurements, type LoadedStep, type Step } from '#bench/sizing/fitted-costs.ts';
import { assumed, fleetCores, readingRate } from '#bench/sizing/size-fleet.ts';
import type { OwnSystem } from '#bench/system/system.ts';

/** Gateway processes, added one by one. */
const gateways = 3;

/** Stations of each gateway that charge and send readings; the rest idles. */
const chargingOfEach = 200;

/** Messages per second of each gateway at the high load, where `--rate` does not say. */
const rateOfEach = 500;

/** Unmeasured load of a new gateway, as a multiple of the high one, and its length in s: it compiles the hot path. */
const warmUp = { times: 4, seconds: 5 };

/**
 * Pause until work that follows a connection has ended, in ms. PostgreSQL begins to vacuum the rows that connections changed within a
 * minute, which would count as the cost of idle stations.
 */
const quietMs = 70_000;

/** Least length of a period without or with little load, in s: CPU time is read in steps of 10 ms. */
const quietSeconds = 10;

/** Sizes of fleets for which the model is drawn. */
const modelled = [50_000, 100_000, 200_000, 500_000, 1_000_000];

/** Part of the modelled stations that charge at any time. */
const charging = (assumed.sessionsPerDay * assumed.sessionHours) / 24;

/** One, two and three gateway processes over Redis, and a model of a million stations that is fitted to them. */
export const scaleOut: Scenario = {
  name: 'scale-out',
  describe: '1, 2 and 3 gateway processes over Redis, and a model of what a million stations need',
  defaults: { stations: 45_000, duration: 8 },
  async run(bench) {
    const each = Math.floor(bench.load.stations / gateways);
    // One thread each, as on a machine with a core for each process.
    const system = await bench.startOwn('split', { gateways: 0, env: { SHARDS: '1' } });
    bench.progress(`registering ${(each * gateways).toLocaleString('en')} chargers`);
    const chargers = await registerChargers(system, each * gateways);
    const measurements: Measurement[] = [];
    const steps: Step[] = [];
    const chargingFleets: FleetProcesses[] = [];
    for (let count = 1; count <= gateways; count++) {
      const own = chargers.slice((count - 1) * each, count * each);
      steps.push(await addGateway(bench, system, own, chargingFleets, steps, measurements));
    }
    const costs = fittedCosts(steps);
    measurements.push(...fittedMeasurements(steps, costs), ...modelOf(costs));
    const rate = bench.load.rate ?? rateOfEach;
    const secondsPerReading = (charging * each) / rate;
    const loads = [
      { name: 'idle', fleet: { ...assumed, sessionsPerDay: 0 }, coresOf: (step: Step) => step.idleCores },
      {
        name: '1 in 10 charges, a reading a minute',
        fleet: assumed,
        coresOf: (step: Step) => step.loaded[0]?.cores,
      },
      {
        name: `the same, a reading every ${formatNumber(secondsPerReading)} s`,
        fleet: { ...assumed, secondsPerReading },
        coresOf: (step: Step) => step.loaded[1]?.cores,
      },
    ];
    const [x, y] = ['stations', 'cores in use'];
    const sizes = [each * gateways, ...modelled];
    return {
      measurements,
      series: loads.flatMap(({ name, fleet, coresOf }): Series[] => [
        {
          name: `measured, ${name}`,
          x,
          y,
          points: steps.map((step) => [step.stations, coresOf(step)?.gateway ?? 0]),
        },
        {
          name: `model, ${name}`,
          x,
          y,
          points: sizes.map((stations) => [
            stations,
            fleetCores({ ...fleet, stations }, costs).cores.gateway,
          ]),
        },
      ]),
      notes: [
        `The model adds what was measured in ${gateways} steps: cores of a process without load, of a gateway process ` +
          'that receives readings, of an idle station, CPU of a reading and of a connection. Two rates tell the cost of ' +
          'a reading from that of receiving any: a gateway flushes its log and inserts for one reading as for a ' +
          `hundred. The lower rate is that of the example, ${formatNumber(exampleRate(each))} readings a second and ` +
          `process, the higher one ${formatNumber(rate)}. The example has ${assumed.sessionsPerDay} sessions a day ` +
          `and station of ${assumed.sessionHours} hours, a reading every ${assumed.secondsPerReading} s while charging, ` +
          `and all stations reconnect within ${assumed.reconnectSeconds} s after an outage. ` +
          'It is an extrapolation: no such fleet was measured.',
      ],
    };
  },
};

/** Returns the readings a second of this number of stations of the example. */
function exampleRate(stations: number): number {
  return Math.max(1, Math.round(readingRate({ ...assumed, stations })));
}

/** Starts one more gateway, connects its stations, and measures all gateways, idle and loaded. */
async function addGateway(
  bench: Bench,
  system: OwnSystem,
  own: readonly RegisteredCharger[],
  charging: FleetProcesses[],
  steps: readonly Step[],
  measurements: Measurement[],
): Promise<Step> {
  const { seed, samples, duration } = bench.load;
  const url = await system.addGateway();
  const count = system.ocppUrls.length;
  const emptyCores = count === 1 ? await measureEmpty(bench, system) : null;
  const [active, idle] = [own.slice(0, chargingOfEach), own.slice(chargingOfEach)];
  const idleFleet = bench.startFleet([url], { size: idle.length, seed });
  const before = system.usage();
  bench.progress(`gateway ${count}: connecting ${idle.length.toLocaleString('en')} stations`);
  const startedAt = performance.now();
  await idleFleet.connect(idle);
  const connectSeconds = (performance.now() - startedAt) / 1000;
  const connectCpu = byRole((role) => cpuOf(system.usage(), before, role) / idle.length);
  const fleet = bench.startFleet([url], { size: active.length, seed });
  await fleet.connect(active);
  await fleet.charge(system.tokens);
  charging.push(fleet);

  const rate = bench.load.rate ?? rateOfEach;
  bench.progress(`gateway ${count}: warming up`);
  const warming = { samples, rate: rate * warmUp.times, seed, seconds: warmUp.seconds };
  await measureLoad(fleet, warming, () => system.usage());
  bench.progress(`${count} gateways: all stations idle`);
  await wait(quietMs);
  const idleCores = await coresDuring(system, quietSeconds);
  const residentBytes = system.usage().gateway?.residentBytes ?? 0;
  const subject = count === 1 ? '1 gateway' : `${count} gateways`;
  const of = measurementsOf(subject);
  measurements.push(
    of('stations connected', own.length * count),
    of('stations connected and booted at this gateway', idle.length / connectSeconds, '1/s'),
    of('memory of the gateways', toMiB(residentBytes), 'MiB'),
    of('cores of the gateways, all stations idle', idleCores.gateway),
  );
  const loaded: LoadedStep[] = [];
  for (const [ofEach, seconds] of [
    [exampleRate(own.length), Math.max(duration, quietSeconds)],
    [rate, duration],
  ] as const) {
    bench.progress(`${count} gateways: ${(ofEach * count).toLocaleString('en')} readings a second`);
    const load = { samples, rate: ofEach, seed, seconds };
    const all = joinLoads(
      await Promise.all(charging.map((one) => measureLoad(one, load, () => system.usage()))),
    );
    const cores = byRole((role) => (all.usage.get(role)?.cpuSeconds ?? 0) / seconds);
    const name = `${subject}, ${(ofEach * count).toLocaleString('en')}/s`;
    measurements.push(
      ...loadMeasurements(name, all),
      measurementsOf(name)('cores of the gateways', cores.gateway),
    );
    loaded.push({ rate: ofEach * count, cores });
  }
  return {
    gateways: count,
    stations: own.length * count,
    emptyCores,
    emptyBytes: (before.gateway?.residentBytes ?? 0) - (steps.at(-1)?.endBytes ?? 0),
    endBytes: system.usage().gateway?.residentBytes ?? 0,
    connectCpu,
    idleCores,
    loaded,
  };
}

/** Joins loads of the same period, of which each read the usage of the whole system. */
function joinLoads(loads: readonly MeasuredLoad[]): MeasuredLoad {
  const [first, ...others] = loads;
  if (first === undefined) throw new Error('there is no load');
  const result = { ...first.result };
  for (const { result: other } of others) {
    result.messages += other.messages;
    result.samples += other.samples;
    result.errors += other.errors;
    result.unsent += other.unsent;
    result.cpuSeconds += other.cpuSeconds;
    for (const ms of other.latency.values()) result.latency.record(ms);
    for (const ms of other.sentLatency.values()) result.sentLatency.record(ms);
  }
  return { ...first, result };
}

async function measureEmpty(bench: Bench, system: OwnSystem): Promise<ByRole> {
  bench.progress('one gateway without stations');
  await wait(quietMs);
  return coresDuring(system, quietSeconds);
}

async function coresDuring(system: OwnSystem, seconds: number): Promise<ByRole> {
  const before = system.usage();
  await wait(seconds * 1000);
  const after = system.usage();
  return byRole((role) => cpuOf(after, before, role) / seconds);
}

type Usages = ReturnType<OwnSystem['usage']>;

function cpuOf(after: Usages, before: Usages, role: keyof ByRole): number {
  return (after[role]?.cpuSeconds ?? 0) - (before[role]?.cpuSeconds ?? 0);
}

/** Returns what the largest modelled fleet needs. */
function modelOf(costs: CpuCosts): Measurement[] {
  const stations = modelled.at(-1) ?? 0;
  const of = measurementsOf(`model of ${stations.toLocaleString('en')} stations`);
  const size = fleetCores({ ...assumed, stations }, costs);
  return [
    of('gateway processes', size.gatewayProcesses),
    of('readings acknowledged', size.readingsPerSecond, '1/s'),
    ...sizedRoles.map((role) => of(`cores of ${role}`, size.cores[role])),
    of('cores of all while all reconnect', size.reconnectCores),
  ];
}
