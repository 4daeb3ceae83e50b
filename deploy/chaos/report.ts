import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Environment, readEnvironment } from '#bench/report.ts';
import { table } from '#bench/report-tables.ts';
import type { Versions } from '#bench/system/system.ts';
import { type Audit, auditedKinds, findingsOf, totals } from './auditor.ts';
import type { ChaosResult, FaultResult } from './chaos.ts';

const directory = join(import.meta.dirname, 'results');

/** Limits of the recovery from a single fault, in seconds. */
const maxRecovery = 10;
const maxP99 = 30;

/** Kinds of runs and what they do. */
const runKinds = {
  chaos: 'Faults in turn and in pairs on two gateways, two API processes and their stores, under load.',
  upgrade:
    'Two gateways and two API processes of an earlier version on migrated stores, upgraded one after the other, under load.',
};
export type RunKind = keyof typeof runKinds;

export interface Load {
  stations: number;
  minutes: number;
  faults: number;
  seed: number;
}

/** Result of one run, as it is stored. */
export interface ChaosReport extends Environment {
  kind: RunKind;
  at: string;
  load: Load;
  calmP99Ms: number;
  refused: { starts: number; readings: number; ends: number };
  /** Credits that no repetition got an acknowledgement for. */
  openCredits: number;
  unexpectedExits: string[];
  lost: number;
  doubled: number;
  audit: Audit;
  faults: FaultResult[];
}

export function createReport(
  kind: RunKind,
  result: ChaosResult,
  load: Load,
  versions: Versions,
): ChaosReport {
  const { promises } = result.evidence;
  return {
    kind,
    at: new Date().toISOString(),
    ...readEnvironment(versions),
    load,
    calmP99Ms: result.calmP99Ms,
    refused: promises.refused,
    openCredits: promises.openCredits.size,
    unexpectedExits: result.unexpectedExits,
    ...totals(result.audit),
    audit: result.audit,
    faults: result.faults,
  };
}

/** Stores a report as a `.json` and a `.md` file named by its kind, in the place of the last one. */
export function keepReport(report: ChaosReport): void {
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, `${report.kind}.json`), `${JSON.stringify(report, null, 2)}\n`);
  writeFileSync(join(directory, `${report.kind}.md`), formatReport(report));
}

/** Formats a report as Markdown. */
export function formatReport(report: ChaosReport): string {
  const { refused, audit, load } = report;
  const versions = Object.entries(report.versions).map(([name, version]) => `${name} ${version}`);
  const singles = report.faults.filter(({ isPair }) => !isPair);
  const pairs = report.faults.filter(({ isPair }) => isPair);
  const slow = singles
    .filter(({ recovered, p99Normal }) => recovered >= maxRecovery || p99Normal > maxP99)
    .map(({ name }) => name);
  return [
    `# ${report.kind}`,
    '',
    runKinds[report.kind],
    '',
    `- Commit ${report.commit}, ${report.at.slice(0, 16).replace('T', ' ')} UTC`,
    `- ${report.cores} cores (${report.cpu}), ${report.memoryGiB} GiB`,
    `- ${versions.join(', ')}`,
    `- Load: ${load.stations} stations, seed ${load.seed}, ${load.faults} faults in ${load.minutes} minutes`,
    `- P99 from sending to acknowledgement before the first fault: ${report.calmP99Ms.toFixed(0)} ms`,
    `- Refused in all attempts: ${refused.starts} starts, ${refused.readings} readings, ${refused.ends} ends`,
    `- Credits without an acknowledgement after a repetition: ${report.openCredits}`,
    `- Audit entries of commands that a killed PostgreSQL had not flushed: ${audit.unflushed.length}`,
    `- Processes that ended without being killed: ${report.unexpectedExits.join(', ') || 'none'}`,
    '',
    ...table(
      ['Compared', 'count', 'lost', 'doubled'],
      findingsOf(audit).map(([kind, { count, lost, doubled }]) =>
        [auditedKinds[kind], count, lost.length, doubled.length].map(String),
      ),
    ),
    '',
    `- Longest recovery from a single fault: ${slowest(singles)}`,
    `- Single faults with a recovery of ${maxRecovery} s or more, or a P99 above normal for ${maxP99} s: ${slow.join(', ') || 'none'}`,
    `- Longest recovery from a pair: ${slowest(pairs)}`,
    '',
    '## Single faults',
    '',
    ...recoveries(singles),
    '',
    '## Pairs of faults',
    '',
    ...recoveries(pairs),
    '',
  ].join('\n');
}

function recoveries(faults: readonly FaultResult[]): string[] {
  return table(
    [
      'Fault',
      'duration, s',
      'longest pause, s',
      'all acknowledge after, s',
      'last one',
      'P99 normal after, s',
    ],
    faults.map((fault) => [
      fault.name,
      fault.seconds === 0 ? '-' : fault.seconds.toFixed(1),
      fault.longestPause.toFixed(1),
      fault.recovered.toFixed(1),
      fault.slowest,
      fault.p99Normal.toFixed(0),
    ]),
  );
}

/** Describes the longest recovery, and the longest time until the P99 was normal. */
function slowest(faults: readonly FaultResult[]): string {
  const last = faults.toSorted((one, other) => other.recovered - one.recovered)[0];
  if (last === undefined) return 'none was injected';
  const p99 = Math.max(...faults.map(({ p99Normal }) => p99Normal));
  return `${last.recovered.toFixed(1)} s (${last.name}); P99 normal after ${p99.toFixed(0)} s at most`;
}
