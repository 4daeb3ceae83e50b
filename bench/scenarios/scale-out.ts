import { setTimeout as wait } from 'node:timers/promises';
import { type RegisteredCharger, registerChargers } from '#bench/load/chargers.ts';
import type { FleetProcesses } from '#bench/load/fleet-processes.ts';
import { fitLine } from '#bench/load/linear-fit.ts';
import { loadMeasurements, type MeasuredLoad, measureLoad } from '#bench/load/measured-load.ts';
import { measurementsOf, toMiB } from '#bench/measurement.ts';
import type { Bench, Measurement, Scenario } from '#bench/scenario.ts';
import type { OwnSystem, Role } from '#bench/system/system.ts';

/** Gateway processes, added one by one. */
const gateways = 3;

/** Stations of each gateway that charge and send readings; the rest idles. */
const chargingOfEach = 200;

/** Messages per second of each gateway where `--rate` does not say. */
const rateOfEach = 500;

/** Pause until work that follows a connection has ended, in ms. */
const quietMs = 3000;

/** Period in which all stations idle, in s. */
const idleSeconds = 5;

/** Fleet that the model is made for: one station in ten charges and sends a reading a minute. */
const modelled = { stations: 1_000_000, charging: 0.1, secondsPerReading: 60, secondsToReconnect: 600 };

const roles = ['gateway', 'api', 'ClickHouse', 'PostgreSQL', 'Redis'] as const satisfies readonly Role[];

/** Numbers of one step, of all gateways together. */
interface Step {
  stations: number;
  rate: number;
  /** CPU seconds of the gateways and stores while one more gateway's stations connected, for each station. */
  connectCpu: number;
  residentBytes: number;
  /** Cores in use, by role. */
  idleCores: Map<Role, number>;
  loadedCores: Map<Role, number>;
}

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
    const charging: FleetProcesses[] = [];
    for (let count = 1; count <= gateways; count++) {
      const own = chargers.slice((count - 1) * each, count * each);
      steps.push(await addGateway(bench, system, own, charging, measurements));
    }
    measurements.push(...modelOf(steps));
    return {
      measurements,
      series: [
        {
          name: 'gateways, loaded',
          x: 'stations',
          y: 'cores of the gateway processes',
          points: steps.map((step) => [step.stations, step.loadedCores.get('gateway') ?? 0]),
        },
        {
          name: 'gateways, all idle',
          x: 'stations',
          y: 'cores of the gateway processes',
          points: steps.map((step) => [step.stations, step.idleCores.get('gateway') ?? 0]),
        },
      ],
      notes: [
        `The model fits lines to the ${gateways} steps: CPU of idle stations, CPU of a reading, CPU of a connection, memory. ` +
          `It is of gateway processes with ${each.toLocaleString('en')} stations each, their own memory included. ` +
          `It assumes that ${modelled.charging * 100} % of the stations charge and send a reading every ` +
          `${modelled.secondsPerReading} s, and that after an outage all reconnect within ${modelled.secondsToReconnect} s. ` +
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
  measurements: Measurement[],
): Promise<Step> {
  const { seed, samples, duration } = bench.load;
  const url = await system.addGateway();
  const count = system.ocppUrls.length;
  const cpu = (): number => roles.reduce((sum, role) => sum + (system.usage()[role]?.cpuSeconds ?? 0), 0);
  const [active, idle] = [own.slice(0, chargingOfEach), own.slice(chargingOfEach)];
  const idleFleet = bench.startFleet([url], { size: idle.length, seed });
  const cpuBefore = cpu();
  const startedAt = performance.now();
  await idleFleet.connect(idle);
  const connectSeconds = (performance.now() - startedAt) / 1000;
  const connectCpu = (cpu() - cpuBefore) / idle.length;
  const fleet = bench.startFleet([url], { size: active.length, seed });
  await fleet.connect(active);
  await fleet.charge(system.tokens);
  charging.push(fleet);

  bench.progress(`${count} gateways, idle`);
  await wait(quietMs);
  const idleCores = await coresDuring(system, idleSeconds);
  const residentBytes = system.usage().gateway?.residentBytes ?? 0;
  const rate = bench.load.rate ?? rateOfEach;
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
  const loadedCores = new Map(
    roles.map((role) => [role, (all.usage.get(role)?.cpuSeconds ?? 0) / duration] as const),
  );
  return {
    stations: own.length * count,
    rate: rate * count,
    connectCpu,
    residentBytes,
    idleCores,
    loadedCores,
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

async function coresDuring(system: OwnSystem, seconds: number): Promise<Map<Role, number>> {
  const before = system.usage();
  await wait(seconds * 1000);
  const after = system.usage();
  return new Map(
    roles.map((role) => [role, ((after[role]?.cpuSeconds ?? 0) - (before[role]?.cpuSeconds ?? 0)) / seconds]),
  );
}

/** Returns what the modelled fleet needs, by lines through the steps. */
function modelOf(steps: readonly Step[]): Measurement[] {
  const of = measurementsOf(`model of ${modelled.stations.toLocaleString('en')} stations`);
  const readings = (modelled.stations * modelled.charging) / modelled.secondsPerReading;
  const cores = roles.map((role) => {
    const idle = fitLine(steps.map((step) => [step.stations, step.idleCores.get(role) ?? 0]));
    const loaded = fitLine(
      steps.map((step) => [step.rate, (step.loadedCores.get(role) ?? 0) - (step.idleCores.get(role) ?? 0)]),
    );
    const need = Math.max(0, idle.slope) * modelled.stations + Math.max(0, loaded.slope) * readings;
    return of(`cores of ${role}`, need);
  });
  const memory = fitLine(steps.map((step) => [step.stations, step.residentBytes]));
  const connectCpu = steps.reduce((sum, step) => sum + step.connectCpu, 0) / steps.length;
  const connections = modelled.stations / modelled.secondsToReconnect;
  return [
    of('readings a second', readings),
    ...cores,
    of('cores of gateways and stores while all reconnect', connections * connectCpu),
    of('memory of the gateways', toMiB(Math.max(0, memory.slope) * modelled.stations), 'MiB'),
  ];
}
