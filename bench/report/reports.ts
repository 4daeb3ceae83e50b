import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Report } from './report.ts';

/** Stored reports by scenario. */
export type Reports = ReadonlyMap<string, Report>;

/** Reads all reports of a directory. */
export function readReports(directory: string): Reports {
  const all = globSync('*.json', { cwd: directory })
    .toSorted()
    .map((name) => JSON.parse(readFileSync(join(directory, name), 'utf8')) as Report);
  return new Map(all.map((report) => [report.scenario, report]));
}

/** Returns a measurement of a report, undefined where it has none of that name. */
export function measured(
  reports: Reports,
  scenario: string,
  subject: string | RegExp,
  what: string | RegExp,
): number | undefined {
  return reports
    .get(scenario)
    ?.measurements.find((one) => matches(subject, one.subject) && matches(what, one.what))?.value;
}

function matches(pattern: string | RegExp, text: string): boolean {
  return typeof pattern === 'string' ? pattern === text : pattern.test(text);
}
