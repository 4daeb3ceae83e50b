import { barChart, type Bar } from '#bench/charts/bar-chart.ts';
import { type ChartLine, type Goal, lineChart } from '#bench/charts/line-chart.ts';
import { formatNumber } from '#bench/report/number-format.ts';
import type { Reports } from '#bench/report/reports.ts';
import type { Series } from '#bench/scenarios/scenario.ts';
import { fastifyRatio, isListRead } from './api-reads.ts';
import { profileParts, profiles, secondsByPart } from './profiles.ts';

/** A chart of the documentation. */
export interface Chart {
  /** Name of its file alongside the reports. */
  file: string;
  title: string;
  /** Scenario whose report it is drawn from. */
  scenario: string;
  /** Null where the report lacks what is drawn. */
  svg: string | null;
}

/** Draws all charts. */
export function chartsOf(reports: Reports): Chart[] {
  return [
    chart('latency', 'Time to durable acknowledgement over the rate', 'meter-curve', (title) =>
      lines(title, seriesOf(reports, 'meter-curve')),
    ),
    chart('cost', 'CPU of the serving process for 100,000 readings', 'meter-values', (title) =>
      costs(reports, title),
    ),
    chart('cost-by-part', 'CPU for 100,000 readings by part, before and after', 'meter-values', (title) =>
      barChart({
        title,
        axis: 'CPU of the process for 100,000 readings, s',
        unit: 's',
        parts: profileParts,
        bars: profiles.map((profile) => ({ name: profile.name, parts: secondsByPart(profile) })),
      }),
    ),
    chart('storm', 'Chargers back after the gateway was killed', 'reconnect-storm', (title) =>
      lines(title, seriesOf(reports, 'reconnect-storm')),
    ),
    chart('growth', 'Cost of a reading and time of a read while the table grows', 'ingest-growth', (title) =>
      growth(title, seriesOf(reports, 'ingest-growth')),
    ),
    chart(
      'api-reads',
      'Requests a second, as a part of bare Fastify with the same body',
      'api-reads',
      (title) => apiReads(reports, title),
    ),
    chart(
      'scale-out',
      'CPU of the gateway processes: measured (dots) and modelled (dashed)',
      'scale-out',
      (title) => lines(title, byLoad(seriesOf(reports, 'scale-out'))),
    ),
  ];
}

function chart(name: string, title: string, scenario: string, draw: (title: string) => string | null): Chart {
  return { file: `${name}.svg`, title, scenario, svg: draw(title) };
}

function seriesOf(reports: Reports, scenario: string): Series[] {
  return reports.get(scenario)?.series ?? [];
}

/** Draws the series that have the axes of the first one. */
function lines(title: string, series: readonly ChartLine[], goals: readonly Goal[] = []): string | null {
  const [first] = series;
  if (first === undefined) return null;
  return lineChart(
    title,
    series.filter(({ x, y }) => x === first.x && y === first.y),
    goals,
  );
}

function loadOf({ name }: Series): string {
  return name.replace(/^(measured|model), /, '');
}

/** Gives the measured and the modelled line of the same load one colour, and one name. */
function byLoad(series: readonly Series[]): ChartLine[] {
  const loads = [...new Set(series.map(loadOf))];
  return series.map((one) => ({
    ...one,
    name: loadOf(one),
    color: loads.indexOf(loadOf(one)),
    isUnnamed: one.isModel === true,
  }));
}

/** Draws series of different units as multiples of their first points. */
function growth(title: string, series: readonly Series[]): string | null {
  const relative = series.map((one) => ({
    ...one,
    y: 'multiple of the value at the start',
    points: one.points.map(([x, y]): [number, number] => [x, y / (one.points[0]?.[1] ?? 1)]),
  }));
  return lines(title, relative, [
    { name: 'goal of the cost', y: 1.1, of: 0 },
    { name: 'goal of the read', y: 1.3, of: 1 },
  ]);
}

/** Processes that serve chargers, as `meter-values` names them. */
const servingCpu = /^CPU of (server|product|gateway) for 100,000 messages$/;

function costs(reports: Reports, title: string): string | null {
  const bars = (reports.get('meter-values')?.measurements ?? [])
    .filter(({ subject, what }) => servingCpu.test(what) && !subject.includes('steady'))
    .map(({ subject, what, value }): Bar => {
      const mode = subject.replace(', closed loop', '');
      const isBare = what.includes('server');
      return {
        name: what.includes('gateway') ? 'gateway only' : mode,
        parts: [value],
        group: isBare ? 0 : 1,
      };
    });
  if (bars.length === 0) return null;
  const floor = bars[0]?.parts[0] ?? 1;
  return barChart({
    title,
    axis: 'CPU of the process for 100,000 readings, s (and as a multiple of the bare server)',
    unit: 's',
    groups: ['stores and checks nothing', 'chargeway'],
    bars: bars.map((bar) => ({
      ...bar,
      label: `${formatNumber(bar.parts[0] ?? 0)} s (${formatNumber((bar.parts[0] ?? 0) / floor)}×)`,
    })),
  });
}

const byFastify = `: ${fastifyRatio}`;

function apiReads(reports: Reports, title: string): string | null {
  const bars = (reports.get('api-reads')?.ratios ?? [])
    .filter(({ what }) => what.endsWith(byFastify))
    .map(({ what, value, goal }) => {
      const name = what.slice(0, -byFastify.length);
      return {
        name,
        parts: [value],
        value,
        group: isListRead(name) ? 1 : 0,
        ...(goal !== undefined && 'atLeast' in goal && { goal: goal.atLeast }),
      };
    })
    .toSorted((a, b) => a.group - b.group || b.value - a.value);
  if (bars.length === 0) return null;
  return barChart({
    title,
    axis: 'requests a second by those of bare Fastify',
    unit: '',
    groups: ['single records', 'lists'],
    bars,
  });
}
