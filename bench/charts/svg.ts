import { formatNumber } from '#bench/report/number-format.ts';

/** Width of every chart and height of most, in px. */
export const width = 760;
export const defaultHeight = 420;

const fontSize = 13;
/** Width of a character of that size on average, in px: enough to place a legend. */
const characterWidth = 6.9;

/** Colours of series in turn, distinct with any kind of colour vision (Okabe and Ito), for light and for dark. */
const palette = [
  ['#0072b2', '#56b4e9'],
  ['#d55e00', '#ff9a5c'],
  ['#009e73', '#2fd3a3'],
  ['#b5629b', '#e8a3cf'],
  ['#8a6d00', '#f0c419'],
  ['#5b6470', '#a9b4c2'],
  ['#7a3e9d', '#c79be6'],
  ['#a3242b', '#ff8a8f'],
] as const;

/** Returns the class of a series' colour. */
export function colorOf(index: number): string {
  return `c${index % palette.length}`;
}

const rules = (colors: (pair: readonly [string, string]) => string): string =>
  palette.map((pair, index) => `.c${index}{color:${colors(pair)}}`).join('');

/** Follows the viewer's choice of light or dark; the background is drawn, so that text never meets a foreign one. */
const style = [
  'text{fill:#24292f}.soft{fill:#57606a}.back{fill:#fff}.grid{stroke:#d8dee4}.axis{stroke:#57606a}',
  rules(([light]) => light),
  '@media (prefers-color-scheme: dark){',
  'text{fill:#e6edf3}.soft{fill:#9aa4b0}.back{fill:#0d1117}.grid{stroke:#30363d}.axis{stroke:#9aa4b0}',
  rules(([, dark]) => dark),
  '}',
].join('');

/** Wraps the parts of a chart with its title and background. */
export function frame(title: string, parts: readonly string[], height = defaultHeight): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escape(title)}" ` +
      `font-family="system-ui, 'Segoe UI', 'DejaVu Sans', sans-serif" font-size="${fontSize}">`,
    `<style>${style}</style>`,
    `<rect class="back" width="${width}" height="${height}"/>`,
    text(24, 30, title, { size: 17, isBold: true }),
    ...parts,
    '</svg>',
    '',
  ].join('\n');
}

export interface TextOptions {
  anchor?: 'start' | 'middle' | 'end';
  size?: number;
  isBold?: boolean;
  isSoft?: boolean;
  /** Rotation about the position, in degrees. */
  turn?: number;
}

export function text(x: number, y: number, content: string, options: TextOptions = {}): string {
  const { anchor = 'start', size, isBold = false, isSoft = false, turn } = options;
  const at = `x="${round(x)}" y="${round(y)}"`;
  const attributes = [
    at,
    anchor === 'start' ? '' : `text-anchor="${anchor}"`,
    size === undefined ? '' : `font-size="${size}"`,
    isBold ? 'font-weight="600"' : '',
    isSoft ? 'class="soft"' : '',
    turn === undefined ? '' : `transform="rotate(${turn} ${round(x)} ${round(y)})"`,
  ];
  return `<text ${attributes.filter((one) => one !== '').join(' ')}>${escape(content)}</text>`;
}

export function rule(x1: number, y1: number, x2: number, y2: number, kind: 'grid' | 'axis' = 'grid'): string {
  return `<line class="${kind}" x1="${round(x1)}" y1="${round(y1)}" x2="${round(x2)}" y2="${round(y2)}"/>`;
}

/** Entry of a legend. */
export interface LegendEntry {
  name: string;
  color: string;
  /** Line with points, dashed line, or filled box. */
  sign: 'line' | 'dashed' | 'box';
}

const signWidth = 26;
const entryGap = 22;
const rowHeight = 20;

/** Draws entries in rows below the title, and returns the height that they take. */
export function legend(entries: readonly LegendEntry[]): { parts: string[]; height: number } {
  const left = 24;
  const parts: string[] = [];
  let [x, row] = [left, 0];
  for (const { name, color, sign } of entries) {
    const length = signWidth + textWidth(name) + entryGap;
    if (x > left && x + length - entryGap > width - 20) [x, row] = [left, row + 1];
    const y = 54 + row * rowHeight;
    parts.push(signOf(sign, color, x, y), text(x + signWidth, y, name));
    x += length;
  }
  return { parts, height: entries.length === 0 ? 0 : (row + 1) * rowHeight };
}

function signOf(sign: LegendEntry['sign'], color: string, x: number, y: number): string {
  if (sign === 'box')
    return `<rect class="${color}" x="${round(x)}" y="${y - 11}" width="16" height="13" fill="currentColor"/>`;
  const dash = sign === 'dashed' ? ' stroke-dasharray="6 4"' : '';
  const line = `<line class="${color}" x1="${round(x)}" y1="${y - 4}" x2="${round(x + 20)}" y2="${y - 4}" stroke="currentColor" stroke-width="2.5"${dash}/>`;
  return sign === 'dashed'
    ? line
    : `${line}<circle class="${color}" cx="${round(x + 10)}" cy="${y - 4}" r="3.5" fill="currentColor"/>`;
}

/** Formats the value of a tick: millions are short, so that neighbours do not meet. */
export function tickLabel(value: number): string {
  return value >= 1e6 ? `${formatNumber(value / 1e6)} M` : formatNumber(value);
}

export function textWidth(content: string): number {
  return content.length * characterWidth;
}

export function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function escape(content: string): string {
  return content.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
