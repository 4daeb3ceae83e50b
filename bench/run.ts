import { parseArgs } from 'node:util';
import { runMain } from '#shared/config/run.ts';
import { startProduct } from './product.ts';
import { createReport, keepReport, showReport } from './report.ts';
import type { Load, Scenario } from './scenario.ts';
import { apiReads } from './scenarios/api-reads.ts';
import { meterValues } from './scenarios/meter-values.ts';
import { reconnectStorm } from './scenarios/reconnect-storm.ts';
import { yearOfSessions } from './scenarios/year-of-sessions.ts';

const scenarios: Scenario[] = [meterValues, apiReads, reconnectStorm, yearOfSessions];

const usage = `npm run bench -- [scenario ...] [--stations 1000] [--seconds 10] [--samples 1] [--connections 50]
  [--sessions 100000]
${scenarios.map(({ name, describe }) => `  ${name.padEnd(16)} ${describe}`).join('\n')}`;

/** `npm run bench`: runs scenarios, all of them by default, each against a product of its own. */
async function main(): Promise<void> {
  const { positionals, values } = parseArgs({
    args: process.argv.slice(3),
    allowPositionals: true,
    options: {
      stations: { type: 'string', default: '1000' },
      seconds: { type: 'string', default: '10' },
      samples: { type: 'string', default: '1' },
      connections: { type: 'string', default: '50' },
      sessions: { type: 'string', default: '100000' },
    },
  });
  const load: Load = {
    stations: count('stations', values.stations),
    seconds: count('seconds', values.seconds),
    samples: count('samples', values.samples),
    connections: count('connections', values.connections),
    sessions: count('sessions', values.sessions),
  };
  const unknown = positionals.filter((name) => !scenarios.some((scenario) => scenario.name === name));
  if (unknown.length > 0) throw new Error(`no scenario ${unknown.join(', ')}\n${usage}`);
  for (const scenario of scenarios) {
    if (positionals.length > 0 && !positionals.includes(scenario.name)) continue;
    const product = await startProduct();
    try {
      const measured = await scenario.run(product, load);
      const report = createReport(scenario.name, load, product.readyMs, measured);
      console.log(showReport(report));
      console.log(`kept in ${keepReport(report)}`);
    } finally {
      await product.stop();
    }
  }
}

function count(name: string, text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1)
    throw new Error(`--${name} takes a whole number from 1\n${usage}`);
  return value;
}

await runMain(main);
