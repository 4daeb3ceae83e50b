import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import type { Load, Measurement } from './scenario.ts';

export interface Report {
  scenario: string;
  at: string;
  machine: { cpu: string; cores: number; memoryGiB: number; node: string };
  load: Load;
  readyMs: number;
  measurements: Measurement[];
}

/** The report of one run, with the machine that it is true for. */
export function createReport(
  scenario: string,
  load: Load,
  readyMs: number,
  measurements: Measurement[],
): Report {
  return {
    scenario,
    at: new Date().toISOString(),
    machine: {
      cpu: cpus()[0]?.model ?? 'unknown',
      cores: availableParallelism(),
      memoryGiB: Math.round(totalmem() / 2 ** 30),
      node: process.version,
    },
    load,
    readyMs: Math.round(readyMs),
    measurements,
  };
}

/** Keeps a report as JSON in `bench/results/`, where git does not look. */
export function keepReport(report: Report): string {
  const directory = join(import.meta.dirname, 'results');
  mkdirSync(directory, { recursive: true });
  const path = join(directory, `${report.scenario}-${report.at.replaceAll(/[:.]/g, '-')}.json`);
  writeFileSync(path, `${JSON.stringify(report, null, 2)}\n`);
  return path;
}

/** A report in words. */
export function showReport(report: Report): string {
  const width = Math.max(...report.measurements.map(({ what }) => what.length));
  const lines = report.measurements.map(
    ({ what, value, unit }) => `  ${what.padEnd(width)}  ${readable(value).padStart(10)} ${unit}`,
  );
  const { machine } = report;
  return [
    '',
    `${report.scenario}: ready after ${report.readyMs} ms; ${machine.cores} cores (${machine.cpu}), Node.js ${machine.node}`,
    ...lines,
    '',
  ].join('\n');
}

function readable(value: number): string {
  return value >= 100 || Number.isInteger(value) ? Math.round(value).toLocaleString('en') : value.toFixed(1);
}
