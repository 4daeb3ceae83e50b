import { setTimeout as wait } from 'node:timers/promises';
import { type RegisteredCharger, registerChargers } from '#bench/load/chargers.ts';
import type { FleetProcesses } from '#bench/load/fleet-processes.ts';
import { loadMeasurements, type MeasuredLoad, measureLoad } from '#bench/load/measured-load.ts';
import { measurementsOf, toMiB } from '#bench/measurement.ts';
import type { Bench, Measurement, Scenario, Series } from '#bench/scenario.ts';
import { byRole, type ByRole, type FleetCosts, sizedRoles } from '#bench/sizing/costs.ts';
import { fittedCosts, fittedMeasurements, type Step } from '#bench/sizing/fitted-costs.ts';
import { assumed, type Fleet, sizeFleet } from '#bench/sizing/size-fleet.ts';
import type { OwnSystem } from '#bench/system/system.ts';

/** Gateway processes, added one by one. */
const gateways = 3;

/** Stations of each gateway that charge and send readings; the rest idles. */
const chargingOfEach = 200;

/** Messages per second of each gateway where `--rate` does not say. */
const rateOfEach = 500;

/** Pause until work that follows a connection has ended, in ms. */
const quietMs = 3000;

/** Period in which all stations idle, in s. */
const idleSeconds = 10;

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
    const [x, y] = ['stations', 'cores of the gateway processes'];
    const rate = bench.load.rate ?? rateOfEach;
    const modelLine = (name: string, fleet: Omit<Fleet, 'stations'>): Series => ({
      name,
      x,
      y,
      isModel: true,
      points: modelled.map((stations) => [stations, sizeFleet({ ...fleet, stations }, costs).cores.gateway]),
    });
    return {
      measurements,
      series: [
        {
          name: `measured, ${rate.toLocaleString('en')} readings a second and process`,
          x,
          y,
          points: steps.map((step) => [step.stations, step.loadedCores.gateway]),
        },
        {
          name: 'measured, idle',
          x,
          y,
          points: steps.map((step) => [step.stations, step.idleCores.gateway]),
        },
        modelLine('model at that load', { ...assumed, secondsPerReading: (charging * each) / rate }),
        modelLine('model, 1 in 10 sends a reading a minute', assumed),
        modelLine('model, idle', { ...assumed, sessionsPerDay: 0 }),
      ],
      notes: [
        `The model fits lines to the ${gateways} steps: CPU of idle stations, CPU of a reading, CPU of a connection, memory. ` +
          `Its gateway processes have ${each.toLocaleString('en')} stations each. It assumes ` +
          `${assumed.sessionsPerDay} sessions a day and station of ${assumed.sessionHours} hours with a reading every ` +
          `${assumed.secondsPerReading} s, and that all reconnect within ${assumed.reconnectSeconds} s after an outage. ` +
          'It is an extrapolation: no such fleet was measured.',
      ],
    };
  },
};

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
  const [active, idle] = [own.slice(0, chargingOfEach), own.slice(chargingOfEach)];
  const idleFleet = bench.startFleet([url], { size: idle.length, seed });
  const before = system.usage();
  const newBytes = (before.gateway?.residentBytes ?? 0) - (steps.at(-1)?.residentBytes ?? 0);
  bench.progress(`gateway ${count}: connecting ${idle.length.toLocaleString('en')} stations`);
  const startedAt = performance.now();
  await idleFleet.connect(idle);
  const connectSeconds = (performance.now() - startedAt) / 1000;
  const connectCpu = byRole((role) => cpuOf(system.usage(), before, role) / idle.length);
  const fleet = bench.startFleet([url], { size: active.length, seed });
  await fleet.connect(active);
  await fleet.charge(system.tokens);
  charging.push(fleet);

  bench.progress(`${count} gateways: all stations idle`);
  await wait(quietMs);
  const idleCores = await coresDuring(system, idleSeconds);
  const residentBytes = system.usage().gateway?.residentBytes ?? 0;
  const rate = bench.load.rate ?? rateOfEach;
  bench.progress(`${count} gateways: ${(rate * count).toLocaleString('en')} readings a second`);
  const loads = await Promise.all(
    charging.map((one) => measureLoad(one, { samples, rate, seed, seconds: duration }, () => system.usage())),
  );
  const all = joinLoads(loads);
  const subject = count === 1 ? '1 gateway' : `${count} gateways`;
  const of = measurementsOf(subject);
  measurements.push(
    of('stations connected', own.length * count),
    of('stations connected and booted at this gateway', idle.length / connectSeconds, '1/s'),
    of('memory of the gateways', toMiB(residentBytes), 'MiB'),
    ...loadMeasurements(subject, all),
  );
  return {
    gateways: count,
    stations: own.length * count,
    rate: rate * count,
    connectCpu,
    residentBytes,
    emptyBytes: newBytes + (steps.at(-1)?.emptyBytes ?? 0),
    idleCores,
    loadedCores: byRole((role) => (all.usage.get(role)?.cpuSeconds ?? 0) / duration),
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
function modelOf(costs: FleetCosts): Measurement[] {
  const stations = modelled.at(-1) ?? 0;
  const of = measurementsOf(`model of ${stations.toLocaleString('en')} stations`);
  const size = sizeFleet({ ...assumed, stations }, costs);
  return [
    of('readings acknowledged', size.readingsPerSecond, '1/s'),
    ...sizedRoles.map((role) => of(`cores of ${role}`, size.cores[role])),
    of('cores of all while all reconnect', size.reconnectCores),
    of('memory of the gateways', toMiB(size.gatewayBytes), 'MiB'),
  ];
}
