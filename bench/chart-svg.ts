import { formatNumber } from './report.ts';
import type { Series } from './scenario.ts';

/** One bar of a bar chart. */
export interface Bar {
  name: string;
  value: number;
}

const width = 720;
const height = 400;
const plot = { left: 80, right: 20, top: 50, bottom: 60 };
const colors = ['#1f6feb', '#d1242f', '#2da44e', '#9a6700', '#8250df'];

/** An axis is logarithmic when its largest value is that many times the smallest. */
const logarithmicFrom = 50;

/** Maps values of an axis to positions. */
interface Scale {
  ticks: number[];
  position(value: number): number;
}

/** Draws series with the same axes as lines with points. */
export function lineChart(title: string, series: readonly Series[]): string {
  const points = series.flatMap((one) => one.points);
  const x = scaleOf(
    points.map(([value]) => value),
    plot.left,
    width - plot.right,
    true,
  );
  const y = scaleOf(
    points.map(([, value]) => value),
    height - plot.bottom,
    plot.top,
    false,
  );
  const lines = series.map((one, index) => {
    const color = colors[index % colors.length] ?? '#000';
    const at = one.points.map(([px, py]) => [round(x.position(px)), round(y.position(py))] as const);
    const path = at.map(([px, py]) => `${px},${py}`).join(' ');
    const dots =
      at.length > 30 ? [] : at.map(([px, py]) => `<circle cx="${px}" cy="${py}" r="3" fill="${color}"/>`);
    return [
      `<polyline points="${path}" fill="none" stroke="${color}" stroke-width="2"/>`,
      ...dots,
      text(plot.left + 10, plot.top + 16 * (index + 1) - 4, one.name, { fill: color }),
    ].join('\n');
  });
  return frame(title, [
    ...y.ticks.flatMap((tick) => [
      rule(plot.left, y.position(tick), width - plot.right, y.position(tick)),
      text(plot.left - 8, y.position(tick) + 4, formatNumber(tick), { anchor: 'end' }),
    ]),
    ...x.ticks.map((tick) =>
      text(x.position(tick), height - plot.bottom + 18, formatNumber(tick), { anchor: 'middle' }),
    ),
    text((plot.left + width - plot.right) / 2, height - 14, series[0]?.x ?? '', { anchor: 'middle' }),
    text(plot.left, plot.top - 8, series[0]?.y ?? ''),
    ...lines,
  ]);
}

/** Draws values as horizontal bars from zero. */
export function barChart(title: string, unit: string, bars: readonly Bar[]): string {
  const left = 260;
  const largest = Math.max(...bars.map(({ value }) => value), Number.MIN_VALUE);
  const step = (height - plot.top - 30) / Math.max(1, bars.length);
  return frame(
    title,
    bars.flatMap(({ name, value }, index) => {
      const top = plot.top + index * step;
      const length = ((width - left - 100) * value) / largest;
      const middle = top + step / 2 + 4;
      return [
        text(left - 10, middle, name, { anchor: 'end' }),
        `<rect x="${left}" y="${round(top + step * 0.15)}" width="${round(length)}" height="${round(step * 0.7)}" fill="${colors[0]}"/>`,
        text(left + length + 8, middle, `${formatNumber(value)} ${unit}`),
      ];
    }),
  );
}

function scaleOf(values: readonly number[], from: number, to: number, mayBeLogarithmic: boolean): Scale {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  if (mayBeLogarithmic && least > 0 && most / least >= logarithmicFrom) {
    const [low, high] = [Math.floor(Math.log10(least)), Math.ceil(Math.log10(most))];
    return {
      ticks: Array.from({ length: high - low + 1 }, (_, index) => 10 ** (low + index)),
      position: (value) => from + ((Math.log10(value) - low) / (high - low)) * (to - from),
    };
  }
  const step = niceStep(most / 5);
  const end = Math.max(step, Math.ceil(most / step) * step);
  return {
    ticks: Array.from({ length: Math.round(end / step) + 1 }, (_, index) => index * step),
    position: (value) => from + (value / end) * (to - from),
  };
}

/** Returns 1, 2 or 5 times a power of ten, at least as large as the value. */
export function niceStep(value: number): number {
  if (!(value > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return power * ([1, 2, 5].find((factor) => factor * power >= value) ?? 10);
}

function frame(title: string, parts: readonly string[]): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12">`,
    `<rect width="${width}" height="${height}" fill="#fff"/>`,
    text(20, 24, title, { size: 16 }),
    ...parts,
    '</svg>',
    '',
  ].join('\n');
}

function text(
  x: number,
  y: number,
  content: string,
  { anchor = 'start', fill = '#333', size = 12 }: { anchor?: string; fill?: string; size?: number } = {},
): string {
  const escaped = content.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return `<text x="${round(x)}" y="${round(y)}" text-anchor="${anchor}" fill="${fill}" font-size="${size}">${escaped}</text>`;
}

function rule(x1: number, y1: number, x2: number, y2: number): string {
  return `<line x1="${round(x1)}" y1="${round(y1)}" x2="${round(x2)}" y2="${round(y2)}" stroke="#ddd"/>`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
