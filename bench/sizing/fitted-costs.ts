import { fitLine, type Line } from '#bench/load/linear-fit.ts';
import { measurementsOf } from '#bench/measurement.ts';
import type { Measurement } from '#bench/scenario.ts';
import { byRole, type ByRole, type FleetCosts, sizedRoles } from './costs.ts';

/** Numbers of one step of the scale-out, of all gateways together. */
export interface Step {
  gateways: number;
  stations: number;
  /** Readings per second while loaded. */
  rate: number;
  /** CPU seconds of each station that connected and booted. */
  connectCpu: ByRole;
  /** Memory of the gateway processes: with all stations, and before their own stations connected. */
  residentBytes: number;
  emptyBytes: number;
  /** Cores in use. */
  idleCores: ByRole;
  loadedCores: ByRole;
}

const subject = 'fitted lines';

/** Fits a line through the steps for each cost. Costs that a scale-out does not measure are 0. */
export function fittedCosts(steps: readonly Step[]): FleetCosts {
  const mean = (numberOf: (step: Step) => number): number =>
    steps.reduce((sum, step) => sum + numberOf(step), 0) / steps.length;
  return {
    idleCores: byRole((role) =>
      Math.max(0, fitLine(steps.map((step) => [step.stations, step.idleCores[role]])).slope),
    ),
    readingCpu: byRole((role) => Math.max(0, readingLine(steps, role).slope)),
    sessionCpu: byRole(() => 0),
    connectCpu: byRole((role) => mean((step) => step.connectCpu[role])),
    processBytes: mean((step) => step.emptyBytes / step.gateways),
    stationBytes: mean((step) => Math.max(0, step.residentBytes - step.emptyBytes) / step.stations),
    readingDisk: 0,
    callDisk: 0,
    sessionDisk: 0,
  };
}

/** Returns fitted costs as numbers of a report, with the largest deviation of a step from its line. */
export function fittedMeasurements(steps: readonly Step[], costs: FleetCosts): Measurement[] {
  const of = measurementsOf(subject);
  return [
    ...sizedRoles.flatMap((role) => [
      of(`cores of ${role} for 100,000 idle stations`, costs.idleCores[role] * 1e5),
      of(`CPU of ${role} for 100,000 readings`, costs.readingCpu[role] * 1e5, 's'),
      of(`CPU of ${role} for 1,000 connections`, costs.connectCpu[role] * 1000, 's'),
    ]),
    of('memory of the gateways for a station', costs.stationBytes / 1024, 'KiB'),
    of('memory of a gateway beside its stations', costs.processBytes / 2 ** 20, 'MiB'),
    of('largest deviation of gateway CPU from its line', deviation(steps) * 100, '%'),
  ];
}

/** Reads the costs of a stored scale-out. */
export function readFittedCosts(measurements: readonly Measurement[]): FleetCosts | null {
  const value = (what: string): number =>
    measurements.find((one) => one.subject === subject && one.what === what)?.value ?? 0;
  if (!measurements.some((one) => one.subject === subject)) return null;
  return {
    idleCores: byRole((role) => value(`cores of ${role} for 100,000 idle stations`) / 1e5),
    readingCpu: byRole((role) => value(`CPU of ${role} for 100,000 readings`) / 1e5),
    sessionCpu: byRole(() => 0),
    connectCpu: byRole((role) => value(`CPU of ${role} for 1,000 connections`) / 1000),
    processBytes: value('memory of a gateway beside its stations') * 2 ** 20,
    stationBytes: value('memory of the gateways for a station') * 1024,
    readingDisk: 0,
    callDisk: 0,
    sessionDisk: 0,
  };
}

function readingLine(steps: readonly Step[], role: keyof ByRole): Line {
  // The load of a step less the same stations idle; no readings cost nothing.
  return fitLine([
    [0, 0],
    ...steps.map((step) => [step.rate, step.loadedCores[role] - step.idleCores[role]] as const),
  ]);
}

/** Largest distance of the gateways' loaded CPU from the fitted line, as a part of it. */
function deviation(steps: readonly Step[]): number {
  const line = fitLine(steps.map((step) => [step.stations, step.loadedCores.gateway]));
  return Math.max(
    ...steps.map((step) => {
      const fitted = line.intercept + line.slope * step.stations;
      return Math.abs(step.loadedCores.gateway - fitted) / Math.max(fitted, Number.MIN_VALUE);
    }),
  );
}
