import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { endProgress, showProgress, startProgress } from '#bench/progress.ts';
import { openClickHouse } from '#shared/clickhouse/client.ts';
import { runMain } from '#shared/config/run.ts';
import { openPostgres } from '#shared/postgres/kernel/client.ts';
import { migrateStores } from '#shared/stores/migrate.ts';
import { runChaos } from './chaos.ts';
import { chooseFaults, faultsOf } from './faults.ts';
import { RunScope } from './scope.ts';
import { startRunStores } from './stores.ts';
import { createReport, formatReport, keepReport, type Load } from './report.ts';

const results = join(import.meta.dirname, 'results');
const calmMs = 10_000;
const faultMs = 5000;
const recoveryMs = 60_000;

/** `npm run chaos`: injects faults under load, and stores a report of what was lost, doubled and how it recovered. */
async function main(): Promise<void> {
  const load = readOptions(process.argv.slice(3));
  const directory = mkdtempSync(join(tmpdir(), 'chargeway-chaos-'));
  // PostgreSQL does not run as root: its account must be able to enter.
  chmodSync(directory, 0o711);
  startProgress();
  showProgress('starting the stores');
  const scope = new RunScope();
  try {
    const runStores = await startRunStores(scope, directory);
    const { urls, servers } = runStores;
    const { databaseUrl, clickhouseUrl } = urls;
    await migrateStores({ databaseUrl, clickhouseUrl });
    const versions = await runStores.versions();
    const sql = openPostgres(databaseUrl, { name: 'chargeway-chaos', connections: 4 });
    const clickhouse = openClickHouse(clickhouseUrl, { name: 'chargeway-chaos', connections: 2 });
    const result = await runChaos(
      { ...urls, sql, clickhouse },
      {
        stations: load.stations,
        seed: load.seed,
        calmMs,
        faultMs,
        recoveryMs,
        durationMs: load.minutes * 60_000,
        directory,
        chooseFaults: (sites, random) => {
          const all = faultsOf(sites, servers).filter(({ name }) => new RegExp(load.only).test(name));
          return chooseFaults(all, load.faults, random);
        },
        onProgress: showProgress,
      },
    );
    await Promise.all([sql.end(), clickhouse.close()]);
    const report = createReport(result, load, versions);
    if (load.only === '') keepReport(report, results);
    endProgress();
    console.log(formatReport(report));
    if (report.lost + report.doubled > 0) process.exitCode = 1;
  } finally {
    await scope.end();
    if (process.exitCode === 1) console.error(`The logs of the processes are in ${directory}`);
    else rmSync(directory, { recursive: true, force: true });
  }
}

/** @throws {Error} for an option that is unknown or no whole number. */
function readOptions(args: string[]): Load & { only: string } {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    args,
    options: { stations: text, minutes: text, faults: text, seed: text, only: text },
  });
  const whole = (name: keyof Load, value: number): number => {
    const given = values[name] === undefined ? value : Number(values[name]);
    if (!Number.isInteger(given) || given < 1) throw new Error(`--${name} takes a whole number from 1`);
    return given;
  };
  return {
    stations: whole('stations', 300),
    minutes: whole('minutes', 10),
    faults: whole('faults', 40),
    seed: whole('seed', 1),
    only: values.only ?? '',
  };
}

await runMain(main);
