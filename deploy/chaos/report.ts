import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Environment, jsonLines, readEnvironment } from '#bench/report/report.ts';
import { table } from '#bench/report/report-tables.ts';
import type { Versions } from '#bench/system/system.ts';
import { type Audit, type AuditedKind, auditedKinds, findingsOf, totals } from './auditor.ts';
import type { ChaosResult, FaultResult } from './chaos.ts';

const directory = join(import.meta.dirname, 'results');

/** Limits of the recovery from a single fault, in seconds. */
const maxRecovery = 10;
const maxP99 = 30;

/** P99 before the faults, in ms, above which the machine is too slow for the load: a fault would hardly show in it. */
const maxCalmP99Ms = 300;

/** Kinds of runs and what they do. */
const runKinds = {
  chaos: 'Faults in turn and in pairs on two gateways, two API processes and their stores, under load.',
  upgrade:
    'Two gateways and two API processes of an earlier version, whose stores are migrated and which are upgraded one after the other, under load.',
};
export type RunKind = keyof typeof runKinds;

export interface Load {
  stations: number;
  minutes: number;
  faults: number;
  seed: number;
  /** Commit of the version that the processes start with, where it is not the present one. */
  earlier?: string;
}

/** Numbers of records of one kind, and the names of some that are lost or doubled. */
interface Compared {
  count: number;
  lost: number;
  /** Null: nothing of this kind can be doubled. */
  doubled: number | null;
  examples: string[];
}

/** Names that a report has of the lost records of one kind, and of the doubled ones. */
const maxExamples = 20;

/** Result of one run, as it is stored. */
interface ChaosReport extends Environment {
  kind: RunKind;
  at: string;
  load: Load;
  calmP99Ms: number;
  refused: { starts: number; readings: number; ends: number };
  /** Credits that no repetition got an acknowledgement for. */
  openCredits: number;
  unexpectedExits: string[];
  failedStarts: string[];
  lost: number;
  doubled: number;
  /** Limits that the run broke, in words. */
  failures: string[];
  compared: Record<AuditedKind, Compared>;
  /** Audit entries of commands that a killed PostgreSQL had not flushed. */
  unflushed: number;
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
    refused: { starts: promises.refusedStarts.length, ...promises.refused },
    openCredits: promises.openCredits.size,
    unexpectedExits: result.unexpectedExits,
    failedStarts: result.failedStarts,
    ...totals(result.audit),
    failures: failuresOf(result),
    compared: compare(result.audit),
    unflushed: result.audit.unflushed.length,
    faults: result.faults,
  };
}

function compare(found: Audit): Record<AuditedKind, Compared> {
  const compared = findingsOf(found).map(([kind, { count, lost, doubled }]): [AuditedKind, Compared] => {
    const examples = [...lost.slice(0, maxExamples), ...(doubled ?? []).slice(0, maxExamples)];
    return [kind, { count, lost: lost.length, doubled: doubled?.length ?? null, examples }];
  });
  return Object.fromEntries(compared) as Record<AuditedKind, Compared>;
}

/** Returns the limits that a run broke, in words. */
function failuresOf({ audit, evidence, unexpectedExits, calmP99Ms, faults }: ChaosResult): string[] {
  const { lost, doubled } = totals(audit);
  const { size: openCredits } = evidence.promises.openCredits;
  const slow = faults.filter(
    ({ isPair, recovered, p99Normal }) => !isPair && (recovered >= maxRecovery || p99Normal > maxP99),
  );
  return [
    ...(lost > 0 ? [`${lost} lost`] : []),
    ...(doubled > 0 ? [`${doubled} doubled`] : []),
    ...(openCredits > 0 ? [`${openCredits} credits without an acknowledgement`] : []),
    ...unexpectedExits.map((name) => `${name} ended by itself`),
    ...(calmP99Ms > maxCalmP99Ms ? [`P99 before the faults above ${maxCalmP99Ms} ms`] : []),
    ...slow.map(({ name }) => `slow recovery from: ${name}`),
  ];
}

/** Stores a report as a `.json` and a `.md` file named by its kind, in the place of the last one. */
export function keepReport(report: ChaosReport): void {
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, `${report.kind}.json`), jsonLines(report));
  writeFileSync(join(directory, `${report.kind}.md`), formatReport(report));
}

/** Formats a report as Markdown. */
export function formatReport(report: ChaosReport): string {
  const { refused, compared, load } = report;
  const versions = Object.entries(report.versions).map(([name, version]) => `${name} ${version}`);
  const singles = report.faults.filter(({ isPair }) => !isPair);
  const pairs = report.faults.filter(({ isPair }) => isPair);
  return [
    `# ${report.kind}`,
    '',
    runKinds[report.kind],
    '',
    `- Commit ${report.commit}, ${report.at.slice(0, 16).replace('T', ' ')} UTC`,
    `- ${report.cores} cores (${report.cpu}), ${report.memoryGiB} GiB`,
    `- ${versions.join(', ')}`,
    ...(load.earlier === undefined ? [] : [`- Earlier version: commit ${load.earlier}`]),
    `- Load: ${load.stations} stations, seed ${load.seed}, ${load.faults} faults in ${load.minutes} minutes`,
    `- Limits that were broken: ${report.failures.join('; ') || 'none'}`,
    `- P99 from sending to acknowledgement before the first fault: ${report.calmP99Ms.toFixed(0)} ms`,
    `- Refused in all attempts: ${refused.starts} starts, ${refused.readings} readings, ${refused.ends} ends`,
    `- Credits without an acknowledgement after a repetition: ${report.openCredits}`,
    `- Audit entries of commands that a killed PostgreSQL had not flushed: ${report.unflushed}`,
    `- Processes that ended without being killed: ${report.unexpectedExits.join(', ') || 'none'}`,
    `- Starts that were repeated because a store was unavailable: ${report.failedStarts.join(', ') || 'none'}`,
    '',
    ...table(
      ['Compared', 'count', 'lost', 'doubled'],
      Object.entries(auditedKinds).map(([kind, title]) => {
        const { count, lost, doubled } = compared[kind as AuditedKind];
        return [title, count, lost, doubled ?? '-'].map(String);
      }),
    ),
    '',
    `- Longest recovery from a single fault: ${slowest(singles)}`,
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
