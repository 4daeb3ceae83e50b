import type uPlot from 'uplot';
import { themeColor } from './theme-color.ts';

/** State that held from one time to another. Times in seconds. */
export interface BandInterval {
  from: number;
  to: number;
  /** Colour: a custom property of the theme. */
  color: `--${string}`;
  /** Strength from 0 to 1, for densities. */
  alpha?: number;
  /** Words shown at the cursor. */
  text: string;
}

/** Row of a band, such as the states of a connector. */
export interface BandRow {
  id: string;
  title: string;
  /** Words about what a press on a bar opens. Undefined: nothing. */
  opens?: string | undefined;
  intervals: readonly BandInterval[];
}

const titleHeight = 16;
const barHeight = 14;
const rowHeight = titleHeight + barHeight + 6;

/** Returns the height of the rows in px, without the axis. */
export function bandHeight(rows: number): number {
  return rows * rowHeight;
}

/** Draws the rows into a chart: a title above each bar. */
export function drawBand(chart: uPlot, rows: readonly BandRow[]): void {
  const { ctx, bbox } = chart;
  const ratio = devicePixelRatio;
  const { min = 0, max = 0 } = chart.scales['x'] ?? {};
  const colors = new Map<string, string>();
  const colorOf = (name: string) => {
    const color = colors.get(name) ?? themeColor(name);
    colors.set(name, color);
    return color;
  };
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  ctx.font = `${11 * ratio}px ${themeColor('--font')}`;
  ctx.textBaseline = 'middle';
  ctx.textAlign = 'left';
  for (const [index, { title, intervals }] of rows.entries()) {
    const top = bbox.top + index * rowHeight * ratio;
    ctx.globalAlpha = 1;
    ctx.fillStyle = colorOf('--text-muted');
    ctx.fillText(title, bbox.left, top + (titleHeight / 2) * ratio);
    const barTop = top + titleHeight * ratio;
    ctx.fillStyle = colorOf('--surface-sunken');
    ctx.fillRect(bbox.left, barTop, bbox.width, barHeight * ratio);
    for (const { from, to, color, alpha = 1 } of intervals) {
      if (to < (min ?? 0) || from > (max ?? 0)) continue;
      const left = chart.valToPos(from, 'x', true);
      const width = Math.max(ratio, chart.valToPos(to, 'x', true) - left);
      ctx.globalAlpha = alpha;
      ctx.fillStyle = colorOf(color);
      ctx.fillRect(left, barTop, width, barHeight * ratio);
    }
  }
  ctx.restore();
}

/** Interval below the pointer, and the place of the pointer. */
export interface BandHit {
  row: BandRow;
  interval: BandInterval;
  left: number;
  top: number;
  /** True in the right half. */
  isRight: boolean;
}

/** Returns the interval below the pointer of a chart. */
export function bandHit(chart: uPlot, rows: readonly BandRow[]): BandHit | null {
  const { left = -1, top = -1 } = chart.cursor;
  if (left < 0 || top < 0) return null;
  const index = Math.floor(top / rowHeight);
  const row = rows[index];
  if (row === undefined) return null;
  const time = chart.posToVal(left, 'x');
  const interval = row.intervals.find(({ from, to }) => from <= time && time < to);
  if (interval === undefined) return null;
  const isRight = left > chart.bbox.width / devicePixelRatio / 2;
  return { row, interval, left, top: (index + 1) * rowHeight, isRight };
}
