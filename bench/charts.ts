import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Bar, barChart, lineChart } from './chart-svg.ts';
import type { Report } from './report.ts';
import type { Series } from './scenario.ts';

/** A chart and the name of its file. */
export interface Chart {
  file: string;
  svg: string;
}

/** Processes that serve chargers, as `meter-values` names them. */
const servingCpu = /^CPU of (server|product|gateway) for 100,000 messages$/;

/** Draws the charts of all reports of a directory beside them, and returns their paths. */
export function drawCharts(directory: string): string[] {
  return globSync('*.json', { cwd: directory })
    .toSorted()
    .flatMap((name) => chartsOf(JSON.parse(readFileSync(join(directory, name), 'utf8')) as Report))
    .map(({ file, svg }) => {
      const path = join(directory, file);
      writeFileSync(path, svg);
      return path;
    });
}

/** Returns the charts of a report: one for all series with the same axes, and the cost of a message. */
export function chartsOf(report: Report): Chart[] {
  const groups = Map.groupBy(report.series, ({ x, y }) => `${x}\n${y}`);
  const charts = [...groups.values()].map((series: Series[]) =>
    lineChart(`${report.scenario}: ${series[0]?.y ?? ''}`, series),
  );
  const bars = costs(report);
  if (bars.length > 1) charts.push(barChart('CPU of the serving process for 100,000 messages', 's', bars));
  return charts.map((svg, index) => ({
    file: `${report.scenario}${index === 0 ? '' : `-${index + 1}`}.svg`,
    svg,
  }));
}

/** CPU time of each serving process in closed loop. */
function costs({ scenario, measurements }: Report): Bar[] {
  if (scenario !== 'meter-values') return [];
  return measurements
    .filter(({ subject, what }) => servingCpu.test(what) && !subject.includes('steady'))
    .map(({ subject, value }) => ({ name: subject.replace(', closed loop', ''), value }));
}
