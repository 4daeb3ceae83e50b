import { runMain } from '#shared/config/run.ts';
import { createBench } from './bench.ts';
import { drawCharts } from './charts.ts';
import { loadOf, type Options, readOptions } from './options.ts';
import { endProgress } from './progress.ts';
import { createReport, formatReport, keepReport, readEnvironment } from './report.ts';
import type { Scenario } from './scenario.ts';
import { apiReads } from './scenarios/api-reads.ts';
import { commands } from './scenarios/commands.ts';
import { compressedDay } from './scenarios/compressed-day.ts';
import { ingestGrowth } from './scenarios/ingest-growth.ts';
import { idle } from './scenarios/idle.ts';
import { meterCurve } from './scenarios/meter-curve.ts';
import { meterValues } from './scenarios/meter-values.ts';
import { overload } from './scenarios/overload.ts';
import { reconnectStorm } from './scenarios/reconnect-storm.ts';
import { scaleOut } from './scenarios/scale-out.ts';
import { sessions } from './scenarios/sessions.ts';
import { yearOfSessions } from './scenarios/year-of-sessions.ts';

/** Scenarios of the publication, in its order. */
const published: Scenario[] = [
  meterValues,
  meterCurve,
  reconnectStorm,
  idle,
  overload,
  commands,
  sessions,
  apiReads,
  ingestGrowth,
  compressedDay,
  scaleOut,
];

/** Scenarios that are run by name alone, because of their length. */
const others: Scenario[] = [yearOfSessions];

/** `npm run bench`: runs scenarios in turn, and stores a report of each. */
async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(3), [...published, ...others], published);
  for (const scenario of options.scenarios) await runScenario(scenario, options);
  if (options.drawsCharts) console.log(drawCharts(options.results).join('\n'));
}

async function runScenario(scenario: Scenario, options: Options): Promise<void> {
  const load = loadOf(scenario, options.load);
  const bench = createBench(scenario.name, load, options.target);
  const startedAt = performance.now();
  try {
    const outcome = await scenario.run(bench);
    const seconds = (performance.now() - startedAt) / 1000;
    const report = createReport(scenario, load, outcome, readEnvironment(bench.versions), seconds);
    endProgress();
    console.log(formatReport(report));
    console.log(`Stored in ${keepReport(report, options.results)}`);
  } finally {
    await bench.stopAll();
  }
}

await runMain(main);
