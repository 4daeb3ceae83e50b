import type { Series } from '#bench/scenarios/scenario.ts';
import {
  colorOf,
  defaultHeight as height,
  frame,
  legend,
  round,
  rule,
  text,
  tickLabel,
  width,
} from './svg.ts';
import { type Scale, scaleOf } from './scale.ts';

const plot = { left: 84, right: 44, bottom: 62, top: 62 };

/** Series with more points are lines without dots. */
const maxDots = 30;

/** Horizontal line that a series is held against. */
export interface Goal {
  name: string;
  y: number;
  /** Position of its series. */
  of: number;
}

/** Line of a chart. */
export interface ChartLine extends Series {
  /** Colour that several lines share; by default each has its own. */
  color?: number;
  /** True where the title or another line names it. */
  isUnnamed?: boolean;
}

/** Draws series with the same axes as lines with points; computed ones and goals are dashed. */
export function lineChart(title: string, lines: readonly ChartLine[], goals: readonly Goal[] = []): string {
  const series = lines.map((line, index) => ({ ...line, color: colorOf(line.color ?? index) }));
  const entries = [
    ...series
      .filter(({ isUnnamed }) => isUnnamed !== true)
      .map(({ name, isModel, color }) => ({
        name,
        color,
        sign: isModel === true ? ('dashed' as const) : ('line' as const),
      })),
    ...goals.map(({ name, of }) => ({
      name,
      color: series[of]?.color ?? colorOf(of),
      sign: 'dashed' as const,
    })),
  ];
  // A single line is named by its axis.
  const names = legend(entries.length === 1 ? [] : entries);
  const top = plot.top + names.height + 8;
  const points = series.flatMap((one) => one.points);
  const x = scaleOf(
    points.map(([value]) => value),
    plot.left,
    width - plot.right,
  );
  const y = scaleOf(
    [...points.map(([, value]) => value), ...goals.map((goal) => goal.y)],
    height - plot.bottom,
    top,
  );
  return frame(title, [
    ...names.parts,
    ...axes(x, y, series[0], top),
    ...goals.map((goal) => polyline([[0, y.position(goal.y)]], series[goal.of]?.color ?? colorOf(goal.of))),
    ...series.flatMap((one) => lineOf(one, one.color, x, y)),
  ]);
}

function axes(x: Scale, y: Scale, first: Series | undefined, top: number): string[] {
  const bottom = height - plot.bottom;
  return [
    ...y.ticks.flatMap((tick) => [
      rule(plot.left, y.position(tick), width - plot.right, y.position(tick)),
      text(plot.left - 8, y.position(tick) + 4, tickLabel(tick), { anchor: 'end', isSoft: true }),
    ]),
    ...x.ticks.flatMap((tick) => [
      rule(x.position(tick), bottom, x.position(tick), bottom + 5, 'axis'),
      text(x.position(tick), bottom + 20, tickLabel(tick), { anchor: 'middle', isSoft: true }),
    ]),
    rule(plot.left, bottom, width - plot.right, bottom, 'axis'),
    text((plot.left + width - plot.right) / 2, height - 16, axisName(first?.x, x), { anchor: 'middle' }),
    text(22, (top + bottom) / 2, axisName(first?.y, y), { anchor: 'middle', turn: -90 }),
  ];
}

function axisName(name = '', scale: Scale): string {
  return scale.isLogarithmic ? `${name} (logarithmic)` : name;
}

function lineOf({ points, isModel }: Series, color: string, x: Scale, y: Scale): string[] {
  const at = points.map(([px, py]) => [round(x.position(px)), round(y.position(py))] as const);
  const line = polyline(at, color, isModel === true);
  if (at.length > maxDots || isModel === true) return [line];
  return [
    line,
    ...at.map(([px, py]) => `<circle class="${color}" cx="${px}" cy="${py}" r="4" fill="currentColor"/>`),
  ];
}

/** Draws a line through positions; one position is a line across the plot. */
function polyline(
  at: readonly (readonly [x: number, y: number])[],
  color: string,
  isDashed = at.length === 1,
): string {
  const [first] = at;
  const all =
    at.length === 1 && isDashed && first !== undefined
      ? [[plot.left, first[1]] as const, [width - plot.right, first[1]] as const]
      : at;
  const path = all.map(([px, py]) => `${round(px)},${round(py)}`).join(' ');
  const dash = isDashed ? ' stroke-dasharray="6 4"' : '';
  return `<polyline class="${color}" points="${path}" fill="none" stroke="currentColor" stroke-width="2.5" stroke-linejoin="round"${dash}/>`;
}
