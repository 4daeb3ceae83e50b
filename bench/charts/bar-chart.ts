import { formatNumber } from '#bench/report/number-format.ts';
import {
  colorOf,
  defaultHeight,
  frame,
  legend,
  type LegendEntry,
  round,
  rule,
  text,
  tickLabel,
  textWidth,
  width,
} from './svg.ts';
import { type Scale, scaleOf } from './scale.ts';

/** Bar of one or several parts, each with the colour of its position. */
export interface Bar {
  name: string;
  parts: readonly number[];
  /** Text at the end; the sum with the unit where it is not given. */
  label?: string;
  /** Value that the bar is held against. */
  goal?: number;
  /** Position of its group's name; bars of one part have the colour of their group. */
  group?: number;
}

export interface BarChart {
  title: string;
  /** Name and unit of the values. */
  axis: string;
  unit: string;
  /** Names of the parts of a bar; none for bars of one part. */
  parts?: readonly string[];
  /** Names of the groups of bars. */
  groups?: readonly string[];
  bars: readonly Bar[];
}

const bottomSpace = 58;

/** Smallest distance of bars, in px: a chart of more bars is higher. */
const leastStep = 22;

/** Draws horizontal bars from zero, divided into parts where they have several. */
export function barChart({ title, axis, unit, parts = [], groups = [], bars }: BarChart): string {
  const entries = [...parts, ...groups].map((name, index): LegendEntry => ({
    name,
    color: colorOf(index),
    sign: 'box',
  }));
  const goalColor = colorOf(groups.length === 0 ? 1 : groups.length);
  const hasGoals = bars.some(({ goal }) => goal !== undefined);
  const names = legend(hasGoals ? [...entries, { name: 'goal', color: goalColor, sign: 'dashed' }] : entries);
  const labelOf = (bar: Bar): string => bar.label ?? `${formatNumber(sumOf(bar))} ${unit}`.trim();
  const left = 36 + Math.max(...bars.map(({ name }) => textWidth(name)), 40);
  const right = width - 44 - Math.max(...bars.map((bar) => textWidth(labelOf(bar))), 20);
  const top = 56 + names.height;
  const height = Math.max(defaultHeight, top + bars.length * leastStep + bottomSpace);
  const bottom = height - bottomSpace;
  const x = scaleOf([0, ...bars.flatMap((bar) => [sumOf(bar), bar.goal ?? 0])], left, right);
  const step = (bottom - top) / Math.max(1, bars.length);
  const thickness = Math.min(step * 0.66, 46);
  return frame(
    title,
    [
      ...names.parts,
      ...x.ticks.flatMap((tick) => [
        rule(x.position(tick), top, x.position(tick), bottom),
        text(x.position(tick), bottom + 18, tickLabel(tick), { anchor: 'middle', isSoft: true }),
      ]),
      rule(left, top, left, bottom, 'axis'),
      text((left + right) / 2, height - 14, axis, { anchor: 'middle' }),
      ...bars.flatMap((bar, index) => {
        const middle = top + step * (index + 0.5);
        let from = 0;
        const boxes = bar.parts.map((value, part) => {
          const [start, end] = [x.position(from), x.position(from + value)];
          from += value;
          return `<rect class="${colorOf(bar.group ?? part)}" x="${round(start)}" y="${round(middle - thickness / 2)}" width="${round(end - start)}" height="${round(thickness)}" fill="currentColor"/>`;
        });
        return [
          text(left - 12, middle + 5, bar.name, { anchor: 'end' }),
          ...boxes,
          ...(bar.goal === undefined ? [] : [goalMark(x.position(bar.goal), middle, thickness, goalColor)]),
          text(labelPosition(x, from, bar.goal, textWidth(labelOf(bar))), middle + 5, labelOf(bar), {
            isBold: true,
          }),
        ];
      }),
    ],
    height,
  );
}

/** Returns where the label of a bar starts: at its end, or behind the goal where both would meet. */
function labelPosition(x: Scale, value: number, goal: number | undefined, length: number): number {
  const start = x.position(value) + 10;
  if (goal === undefined) return start;
  const mark = x.position(goal);
  return mark > start - 10 && mark < start + length + 10 ? mark + 10 : start;
}

function goalMark(x: number, middle: number, thickness: number, color: string): string {
  const [top, bottom] = [middle - thickness / 2 - 4, middle + thickness / 2 + 4];
  return `<line class="${color}" x1="${round(x)}" y1="${round(top)}" x2="${round(x)}" y2="${round(bottom)}" stroke="currentColor" stroke-width="3" stroke-dasharray="6 4"/>`;
}

function sumOf({ parts }: Bar): number {
  return parts.reduce((sum, value) => sum + value, 0);
}
