import { runMain } from '#shared/config/run.ts';
import { createBench } from './runner/bench.ts';
import { loadOf, type Options, type Published, readOptions } from './runner/options.ts';
import { endProgress, startProgress } from './runner/progress.ts';
import { createReport, formatReport, keepReport, readEnvironment } from './report/report.ts';
import { publishResults } from './report/publish.ts';
import { readReports } from './report/reports.ts';
import type { Load, Scenario } from './scenarios/scenario.ts';
import { apiOverload } from './scenarios/api-overload.ts';
import { apiReads } from './scenarios/api-reads.ts';
import { commands } from './scenarios/commands.ts';
import { compression } from './scenarios/compression.ts';
import { compressedDay } from './scenarios/compressed-day.ts';
import { consoleReads } from './scenarios/console-reads.ts';
import { events } from './scenarios/events.ts';
import { ingestGrowth } from './scenarios/ingest-growth.ts';
import { idle } from './scenarios/idle.ts';
import { loadCycle } from './scenarios/load-cycle.ts';
import { loadInvariant } from './scenarios/load-invariant.ts';
import { loadQuality } from './scenarios/load-quality.ts';
import { idleSystem } from './scenarios/idle-system.ts';
import { meterCurve } from './scenarios/meter-curve.ts';
import { meterValues } from './scenarios/meter-values.ts';
import { overload } from './scenarios/overload.ts';
import { reconnectStorm } from './scenarios/reconnect-storm.ts';
import { scaleOut } from './scenarios/scale-out.ts';
import { sessions } from './scenarios/sessions.ts';
import { webhooks } from './scenarios/webhooks.ts';
import { yearOfSessions } from './scenarios/year-of-sessions.ts';
import { formatSizing } from './sizing/format.ts';

/**
 * Scenarios of the publication, in its order: ratios to bare servers first. The loads keep all of them within 55 minutes
 * on two cores.
 */
const published: Published[] = [
  { scenario: meterValues, load: { duration: 8 }, minutes: 3 },
  { scenario: meterCurve, minutes: 2 },
  { scenario: overload, minutes: 1 },
  { scenario: reconnectStorm, minutes: 2, isOwn: true },
  { scenario: idle, minutes: 2, isOwn: true },
  { scenario: idleSystem, minutes: 2, isOwn: true },
  { scenario: commands, minutes: 4 },
  { scenario: sessions, minutes: 1 },
  { scenario: apiReads, minutes: 3 },
  { scenario: apiOverload, minutes: 2, isOwn: true },
  { scenario: events, minutes: 1, isOwn: true },
  { scenario: webhooks, minutes: 1, isOwn: true },
  { scenario: compression, load: { duration: 8 }, minutes: 1, isOwn: true },
  { scenario: compressedDay, minutes: 2, isOwn: true },
  { scenario: scaleOut, minutes: 7, isOwn: true },
  { scenario: yearOfSessions, load: { sessions: 20_000, duration: 3 }, minutes: 4, isOwn: true },
  { scenario: consoleReads, minutes: 5, isOwn: true },
  { scenario: ingestGrowth, minutes: 10, isOwn: true },
  { scenario: loadCycle, minutes: 1, isOwn: true },
  { scenario: loadInvariant, minutes: 1, isOwn: true },
  { scenario: loadQuality, minutes: 3, isOwn: true },
];

/** Signals that end the bench with all that it started. */
const interrupts = ['SIGINT', 'SIGTERM'] as const;

/** `npm run bench`: runs scenarios in turn, and stores a report of each. One that fails does not end the others. */
async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(3), published);
  const failed: string[] = [];
  for (const { scenario, load } of options.runs) {
    try {
      await runScenario(scenario, loadOf(scenario, load), options);
    } catch (error) {
      if (options.runs.length === 1) throw error;
      endProgress();
      console.error(`${scenario.name} failed: ${error instanceof Error ? error.message : String(error)}`);
      failed.push(scenario.name);
    }
  }
  if (options.sizes !== null) console.log(formatSizing(options.sizes, readReports(options.results)));
  if (options.publishes) console.log(publishResults(options.results).join('\n'));
  if (failed.length > 0) throw new Error(`failed: ${failed.join(', ')}`);
}

async function runScenario(scenario: Scenario, load: Load, options: Options): Promise<void> {
  startProgress();
  const bench = createBench(scenario.name, load, options.target);
  const startedAt = performance.now();
  // Without it the stores and the product would survive an interrupted bench.
  const interrupt = (signal: NodeJS.Signals): void => {
    endProgress();
    console.error(`${scenario.name} ends: ${signal}`);
    void bench.stopAll().finally(() => process.exit(1));
  };
  for (const signal of interrupts) process.once(signal, interrupt);
  try {
    const outcome = await scenario.run(bench);
    const seconds = (performance.now() - startedAt) / 1000;
    const report = createReport(scenario, load, outcome, readEnvironment(bench.versions), seconds);
    endProgress();
    console.log(formatReport(report));
    console.log(`Stored in ${keepReport(report, options.results)}`);
  } finally {
    await bench.stopAll();
    for (const signal of interrupts) process.off(signal, interrupt);
  }
}

await runMain(main);
