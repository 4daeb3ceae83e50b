import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { capitalized, formatSeries, formatTables } from './report-tables.ts';
import type { Load, Measurement, Outcome, Ratio, Series } from '#bench/scenarios/scenario.ts';
import type { Versions } from '#bench/system/system.ts';

/** Machine and programs that numbers are true for. */
export interface Environment {
  cpu: string;
  cores: number;
  memoryGiB: number;
  /** Short hash, with `+changes` when tracked files differ from it. */
  commit: string;
  versions: Versions;
}

/** Result of one run, as it is stored. */
export interface Report extends Environment {
  scenario: string;
  describe: string;
  at: string;
  /** Duration of the whole run. */
  seconds: number;
  load: Load;
  measurements: Measurement[];
  ratios: Ratio[];
  series: Series[];
  notes: string[];
}

/** Reads machine, commit and versions of the libraries; `versions` are the versions of the stores. */
export function readEnvironment(versions: Versions): Environment {
  let commit = 'unknown';
  try {
    const isChanged =
      git('status', '--porcelain', '--untracked-files=no', '--', '.', ':!bench/results') !== '';
    commit = git('rev-parse', '--short', 'HEAD') + (isChanged ? '+changes' : '');
  } catch {
    // Not a checkout.
  }
  return {
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: availableParallelism(),
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    commit,
    versions: {
      'Node.js': process.versions.node,
      'uWebSockets.js': libraryVersion('uWebSockets.js'),
      'ocpp-rpc': libraryVersion('ocpp-rpc'),
      Fastify: libraryVersion('fastify'),
      ...versions,
    },
  };
}

function git(...args: string[]): string {
  return execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
}

/** Version of a package; one that is installed under another name is given with its own. */
function libraryVersion(name: string): string {
  const path = join(import.meta.dirname, '../../node_modules', name, 'package.json');
  const { name: own, version } = JSON.parse(readFileSync(path, 'utf8')) as { name: string; version: string };
  return own === name ? version : `${own} ${version}`;
}

export function createReport(
  scenario: { name: string; describe: string },
  load: Load,
  outcome: Outcome,
  environment: Environment,
  seconds: number,
): Report {
  return {
    scenario: scenario.name,
    describe: scenario.describe,
    at: new Date().toISOString(),
    seconds: Math.round(seconds),
    ...environment,
    load,
    measurements: outcome.measurements,
    ratios: outcome.ratios ?? [],
    series: outcome.series ?? [],
    notes: outcome.notes ?? [],
  };
}

/** Formats an object as JSON with a line for each field and for each element of a list. */
export function jsonLines(value: object): string {
  const fields = Object.entries(value).map(([name, field]: [string, unknown]) => {
    const elements = Array.isArray(field) ? field.map((element) => `\n    ${JSON.stringify(element)}`) : [];
    return `  "${name}": ${elements.length === 0 ? JSON.stringify(field) : `[${elements.join(',')}\n  ]`}`;
  });
  return `{\n${fields.join(',\n')}\n}\n`;
}

/** Stores a report as `<scenario>.json` and `<scenario>.md`, in the place of the last one. */
export function keepReport(report: Report, directory: string): string {
  mkdirSync(directory, { recursive: true });
  const path = join(directory, report.scenario);
  writeFileSync(`${path}.json`, jsonLines(report));
  writeFileSync(`${path}.md`, formatReport(report));
  return `${path}.md`;
}

/** Formats a report as Markdown. */
export function formatReport(report: Report): string {
  const { load, versions } = report;
  const given = Object.entries(load).filter(([, value]) => value !== null);
  return [
    `# ${report.scenario}`,
    '',
    `${capitalized(report.describe)}.`,
    '',
    `- Commit ${report.commit}, ${report.at.slice(0, 16).replace('T', ' ')} UTC, ${report.seconds} s in all`,
    `- ${report.cores} cores (${report.cpu}), ${report.memoryGiB} GiB`,
    `- ${Object.entries(versions)
      .map(([name, version]) => `${name} ${version}`)
      .join(', ')}`,
    `- Load: ${given.map(([name, value]) => `${name} ${value}`).join(', ')}`,
    '',
    ...formatTables(report.measurements, report.ratios),
    ...formatSeries(report.series),
    ...report.notes.flatMap((note) => [note, '']),
  ].join('\n');
}
