import { formatNumber } from '#bench/report.ts';
import {
  colorOf,
  frame,
  height,
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
}

export interface BarChart {
  title: string;
  /** Name and unit of the values. */
  axis: string;
  unit: string;
  /** Names of the parts of a bar; none for bars of one part. */
  parts?: readonly string[];
  bars: readonly Bar[];
}

const bottomSpace = 58;

/** Draws horizontal bars from zero, divided into parts where they have several. */
export function barChart({ title, axis, unit, parts = [], bars }: BarChart): string {
  const entries: LegendEntry[] = parts.map((name, index) => ({ name, color: colorOf(index), sign: 'box' }));
  const hasGoals = bars.some(({ goal }) => goal !== undefined);
  const names = legend(
    hasGoals ? [...entries, { name: 'goal', color: colorOf(1), sign: 'dashed' }] : entries,
  );
  const labelOf = (bar: Bar): string => bar.label ?? `${formatNumber(sumOf(bar))} ${unit}`.trim();
  const left = 36 + Math.max(...bars.map(({ name }) => textWidth(name)), 40);
  const right = width - 44 - Math.max(...bars.map((bar) => textWidth(labelOf(bar))), 20);
  const top = 56 + names.height;
  const bottom = height - bottomSpace;
  const x = scaleOf([0, ...bars.flatMap((bar) => [sumOf(bar), bar.goal ?? 0])], left, right);
  const step = (bottom - top) / Math.max(1, bars.length);
  const thickness = Math.min(step * 0.66, 46);
  return frame(title, [
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
        return `<rect class="${colorOf(part)}" x="${round(start)}" y="${round(middle - thickness / 2)}" width="${round(end - start)}" height="${round(thickness)}" fill="currentColor"/>`;
      });
      return [
        text(left - 12, middle + 5, bar.name, { anchor: 'end' }),
        ...boxes,
        ...(bar.goal === undefined ? [] : [goalMark(x.position(bar.goal), middle, thickness)]),
        text(labelPosition(x, from, bar.goal, textWidth(labelOf(bar))), middle + 5, labelOf(bar), {
          isBold: true,
        }),
      ];
    }),
  ]);
}

/** Returns where the label of a bar starts: at its end, or behind the goal where both would meet. */
function labelPosition(x: Scale, value: number, goal: number | undefined, length: number): number {
  const start = x.position(value) + 10;
  if (goal === undefined) return start;
  const mark = x.position(goal);
  return mark > start - 10 && mark < start + length + 10 ? mark + 10 : start;
}

function goalMark(x: number, middle: number, thickness: number): string {
  const [top, bottom] = [middle - thickness / 2 - 4, middle + thickness / 2 + 4];
  return `<line class="${colorOf(1)}" x1="${round(x)}" y1="${round(top)}" x2="${round(x)}" y2="${round(bottom)}" stroke="currentColor" stroke-width="3" stroke-dasharray="6 4"/>`;
}

function sumOf({ parts }: Bar): number {
  return parts.reduce((sum, value) => sum + value, 0);
}
