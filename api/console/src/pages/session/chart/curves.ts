import type { Schemas } from '../../../api/client.ts';
import type { Series, Values } from '../../../ui/chart/series.ts';

export type Readings = Schemas['ConnectorSeries'];

/** Curves of a session, each a chart of its own on the one time axis. */
export const curveIds = ['power', 'energy', 'soc', 'current', 'voltage'] as const;
export type CurveId = (typeof curveIds)[number];

/** Line of a curve before it is titled: phase 1 to 3, or 0 for the whole. */
interface Line extends Omit<Series, 'title' | 'id'> {
  phase: number;
}

export interface Curve {
  id: CurveId;
  /** Times in seconds at which the curve has a value. */
  times: number[];
  lines: Line[];
}

type Spread = Readings['powerKw'];

const phaseColors = ['--series-2', '--series-2', '--series-5', '--series-6'] as const;

/** Returns the curves that have values, each with the times that it has one at. */
export function curvesOf(readings: Readings): Curve[] {
  const { time } = readings;
  const curve = (id: CurveId, lines: Line[]): Curve => {
    const kept = time.flatMap((_at, index) => (lines.some(({ mean }) => mean[index] != null) ? [index] : []));
    const pick = (values: Values) => kept.map((index) => values[index] ?? null);
    return {
      id,
      times: kept.map((index) => time[index] ?? 0),
      lines: lines.map(({ mean, minimum, maximum, ...line }) => ({
        ...line,
        mean: pick(mean),
        ...(minimum === undefined ? {} : { minimum: pick(minimum) }),
        ...(maximum === undefined ? {} : { maximum: pick(maximum) }),
      })),
    };
  };
  return [
    curve('power', lineOf(readings.powerKw, 'kW', '--series-1')),
    curve('energy', energyLine(readings)),
    curve('soc', lineOf(readings.socPercent, '%', '--series-4')),
    curve(
      'current',
      phasesOf([readings.currentL1A, readings.currentL2A, readings.currentL3A], readings.currentA, 'A'),
    ),
    curve(
      'voltage',
      phasesOf([readings.voltageL1V, readings.voltageL2V, readings.voltageL3V], readings.voltageV, 'V'),
    ),
  ].filter(({ times }) => times.length > 0);
}

function lineOf(spread: Spread, unit: string, color: Line['color'], phase = 0): Line[] {
  if (spread === null) return [];
  const { min, mean, max } = spread;
  return [{ phase, unit, color, mean, minimum: min, maximum: max }];
}

/** The phases where the charger reports them, otherwise the whole. */
function phasesOf(phases: readonly Spread[], whole: Spread, unit: string): Line[] {
  const known = phases.flatMap((spread, index) =>
    lineOf(spread, unit, phaseColors[index + 1] ?? '--series-2', index + 1).map(
      ({ minimum: _low, maximum: _high, ...line }) => line,
    ),
  );
  return known.length > 0 ? known : lineOf(whole, unit, '--series-2');
}

/** Energy since the start of the session, as its price counts it. */
function energyLine({ sessionEnergyKwh }: Readings): Line[] {
  return sessionEnergyKwh === null
    ? []
    : [{ phase: 0, unit: 'kWh', color: '--series-3', mean: sessionEnergyKwh }];
}

/** Returns the usual distance of points in seconds, of which a multiple is a gap. At least that of a bucket. */
export function usualStep(times: readonly number[], bucketSeconds: number): number {
  const steps = times.slice(1).map((time, index) => time - (times[index] ?? time));
  const median = steps.toSorted((a, b) => a - b)[Math.floor(steps.length / 2)] ?? 0;
  return Math.max(bucketSeconds, median * 2);
}
