import type uPlot from 'uplot';
import { themeColor } from './theme-color.ts';

/** Event on the time axis of a chart. */
export interface Mark {
  /** Time in seconds. */
  time: number;
  title: string;
  /** Colour: a custom property of the theme. */
  color: `--${string}`;
}

/** Distance in px at which the cursor is at a mark. */
const nearPx = 5;

/** Draws the marks that are in view as vertical lines with a flag at the top. */
export function drawMarks(chart: uPlot, marks: readonly Mark[]): void {
  const { ctx, bbox } = chart;
  const { min, max } = chart.scales['x'] ?? {};
  if (min === undefined || max === undefined || min === null || max === null) return;
  const pixel = window.devicePixelRatio;
  ctx.save();
  for (const { time, color } of marks) {
    if (time < min || time > max) continue;
    const x = Math.round(chart.valToPos(time, 'x', true));
    ctx.strokeStyle = themeColor(color);
    ctx.fillStyle = ctx.strokeStyle;
    ctx.lineWidth = pixel;
    ctx.setLineDash([3 * pixel, 3 * pixel]);
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
    ctx.fillRect(x - 2 * pixel, bbox.top, 5 * pixel, 5 * pixel);
  }
  ctx.restore();
}

/** Returns the titles of the marks at the cursor. */
export function marksAtCursor(chart: uPlot, marks: readonly Mark[]): string {
  const left = chart.cursor.left ?? -1;
  if (left < 0) return '';
  return marks
    .filter(({ time }) => Math.abs(chart.valToPos(time, 'x') - left) <= nearPx)
    .map(({ title }) => title)
    .join(' · ');
}
