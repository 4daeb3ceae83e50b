import { fitLine, type Line } from '#bench/load/linear-fit.ts';
import { measurementsOf, toMiB } from '#bench/report/measurement.ts';
import type { Measurement } from '#bench/scenarios/scenario.ts';
import { byRole, type ByRole, type CpuCosts, type FleetCosts, processesOf, sizedRoles } from './costs.ts';

/** Cores in use at a steady rate of readings, of all gateways together. */
export interface LoadedStep {
  rate: number;
  cores: ByRole;
}

/** Numbers of one step of the scale-out, of all gateways together. */
export interface Step {
  gateways: number;
  stations: number;
  /** Cores in use before any station connected; null where other gateways have stations. */
  emptyCores: ByRole | null;
  /** Memory of the newest gateway before its stations connected. */
  emptyBytes: number;
  /** Memory of all gateways at the end of the step. */
  endBytes: number;
  /** CPU seconds of each station that connected and booted. */
  connectCpu: ByRole;
  idleCores: ByRole;
  /** At the rate of the example and at a high one: two rates tell what a reading costs from what receiving costs. */
  loaded: readonly LoadedStep[];
}

/** Costs that a scale-out measures. */
type FittedCosts = CpuCosts & Pick<FleetCosts, 'processBytes'>;

const subject = 'fitted costs';

/** Fits the costs to the steps. Sessions cost nothing here: a scale-out has none. */
export function fittedCosts(steps: readonly Step[]): FittedCosts {
  const mean = (numberOf: (step: Step) => number): number =>
    steps.reduce((sum, step) => sum + numberOf(step), 0) / steps.length;
  const processCores = byRole((role) => steps[0]?.emptyCores?.[role] ?? 0);
  const stations = steps.reduce((sum, step) => sum + step.stations, 0);
  const ofStations = (step: Step, role: keyof ByRole): number =>
    step.idleCores[role] - processCores[role] * processesOf(role, step.gateways);
  return {
    processCores,
    receivingCores: byRole((role) => receivingLine(steps, role).intercept),
    idleCores: byRole((role) =>
      Math.max(0, steps.reduce((sum, step) => sum + ofStations(step, role), 0) / stations),
    ),
    readingCpu: byRole((role) => receivingLine(steps, role).slope),
    sessionCpu: byRole(() => 0),
    connectCpu: byRole((role) => mean((step) => step.connectCpu[role])),
    processBytes: mean((step) => step.emptyBytes),
  };
}

/** Returns fitted costs as numbers of a report, with the largest deviation of a measured step from them. */
export function fittedMeasurements(steps: readonly Step[], costs: FittedCosts): Measurement[] {
  const of = measurementsOf(subject);
  return [
    ...sizedRoles.flatMap((role) => [
      of(`cores of ${role} without load`, costs.processCores[role]),
      of(`cores of ${role} for a gateway that receives readings`, costs.receivingCores[role]),
      of(`cores of ${role} for 100,000 idle stations`, costs.idleCores[role] * 1e5),
      of(`CPU of ${role} for 100,000 readings`, costs.readingCpu[role] * 1e5, 's'),
      of(`CPU of ${role} for 1,000 connections`, costs.connectCpu[role] * 1000, 's'),
    ]),
    of('memory of a gateway before its stations connect', toMiB(costs.processBytes), 'MiB'),
    of('largest deviation of measured gateway CPU from these', deviation(steps, costs) * 100, '%'),
  ];
}

/** Reads the costs of a stored scale-out; null where it lacks one of them. */
export function readFittedCosts(measurements: readonly Measurement[]): FittedCosts | null {
  const own = new Map(
    measurements.filter((one) => one.subject === subject).map(({ what, value }) => [what, value]),
  );
  if (!own.has('cores of gateway without load')) return null;
  const value = (what: string): number => own.get(what) ?? 0;
  return {
    processCores: byRole((role) => value(`cores of ${role} without load`)),
    receivingCores: byRole((role) => value(`cores of ${role} for a gateway that receives readings`)),
    idleCores: byRole((role) => value(`cores of ${role} for 100,000 idle stations`) / 1e5),
    readingCpu: byRole((role) => value(`CPU of ${role} for 100,000 readings`) / 1e5),
    sessionCpu: byRole(() => 0),
    connectCpu: byRole((role) => value(`CPU of ${role} for 1,000 connections`) / 1000),
    processBytes: value('memory of a gateway before its stations connect') * 2 ** 20,
  };
}

/** Returns the cores that readings add for one gateway, by its rate: what receiving costs, and each reading. */
function receivingLine(steps: readonly Step[], role: keyof ByRole): Line {
  const points = steps.flatMap(({ gateways, idleCores, loaded }) =>
    loaded.map(({ rate, cores }) => [rate / gateways, (cores[role] - idleCores[role]) / gateways] as const),
  );
  const line = fitLine(points);
  // Noise of a component that readings hardly use may give a line that falls or begins below zero.
  if (line.slope < 0) return { slope: 0, intercept: Math.max(0, meanOf(points.map(([, cores]) => cores))) };
  return line.intercept < 0 ? { slope: Math.max(0, throughZero(points)), intercept: 0 } : line;
}

function throughZero(points: readonly (readonly [x: number, y: number])[]): number {
  const squares = points.reduce((sum, [x]) => sum + x * x, 0);
  return squares === 0 ? 0 : points.reduce((sum, [x, y]) => sum + x * y, 0) / squares;
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}

/** Largest distance of the gateways' measured cores from the costs, as a part of the measured ones. */
function deviation(steps: readonly Step[], costs: FittedCosts): number {
  const deviations = steps.flatMap(({ gateways, stations, idleCores, loaded }) => {
    const idle = gateways * costs.processCores.gateway + stations * costs.idleCores.gateway;
    return [
      [idleCores.gateway, idle] as const,
      ...loaded.map(
        ({ rate, cores }) =>
          [
            cores.gateway,
            idle + gateways * costs.receivingCores.gateway + rate * costs.readingCpu.gateway,
          ] as const,
      ),
    ];
  });
  return Math.max(
    ...deviations.map(
      ([measured, fitted]) => Math.abs(measured - fitted) / Math.max(measured, Number.MIN_VALUE),
    ),
  );
}
