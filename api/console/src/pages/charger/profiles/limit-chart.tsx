import { useMemo } from 'react';
import type { Series } from '../../../ui/chart/series.ts';
import { TimeChart } from '../../../ui/chart/time-chart.tsx';
import { limitIn, type RateUnit, type Span, type Step } from './profile-steps.ts';

/** Limits of one profile over time. */
export interface LimitLine {
  id: string;
  title: string;
  color: Series['color'];
  unit: RateUnit;
  steps: readonly Step[];
}

/** Limits over time as steps, one line for each profile. */
export function LimitChart({
  title,
  lines,
  span,
  unit,
  height = 160,
}: {
  title: string;
  lines: readonly LimitLine[];
  span: Span;
  unit: 'A' | 'kW';
  height?: number;
}) {
  const { times, series } = useMemo(() => stepSeries(lines, span, unit), [lines, span, unit]);
  const range = useMemo(() => ({ from: span.from / 1000, to: span.to / 1000 }), [span]);
  return (
    <TimeChart
      title={`${title} · ${unit}`}
      times={times}
      series={series}
      range={range}
      bucketSeconds={Infinity}
      syncKey="charging-limits"
      onZoom={() => {}}
      startsAtZero
      height={height}
    />
  );
}

/** Distance of the two points that make an edge of a step, in ms. */
const edgeMs = 1;

/** Returns the steps as series: each edge is two points, of which one ends a step and the next begins another. */
function stepSeries(lines: readonly LimitLine[], span: Span, unit: 'A' | 'kW') {
  const edges = new Set([span.from, span.to]);
  for (const { steps } of lines) for (const { from, to } of steps) edges.add(from).add(to);
  const times = [...edges].toSorted((a, b) => a - b).flatMap((edge) => [edge - edgeMs, edge]);
  const series = lines.map(({ id, title, color, unit: own, steps }): Series => ({
    id,
    title,
    color,
    unit,
    mean: times.map((time) => {
      const step = steps.find(({ from, to }) => time >= from && time < to);
      return step === undefined ? null : limitIn(unit, step, own);
    }),
  }));
  return { times: times.map((time) => time / 1000), series };
}
