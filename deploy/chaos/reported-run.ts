import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endProgress, showProgress, startProgress } from '#bench/runner/progress.ts';
import { openClickHouse } from '#shared/clickhouse/client.ts';
import { openPostgres } from '#shared/postgres/kernel/client.ts';
import { type ChaosOptions, runChaos } from './chaos.ts';
import { createReport, formatReport, keepReport, type Load, type RunKind } from './report.ts';
import { RunScope, type Scope } from './scope.ts';
import { storeVersions } from './stores.ts';
import type { StoreUrls } from './store-links.ts';

const faultMs = 5000;
const recoveryMs = 60_000;
/** The second half of it tells the usual P99. The first sessions of the chargers all begin within one pause, of 40 s with 2,000. */
const calmMs = 120_000;

/** Part of a run that its kind decides. */
interface RunPlan extends Pick<ChaosOptions, 'chooseFaults' | 'checkout'> {
  urls: StoreUrls;
  /** Commit of the version in `checkout`. */
  earlier?: string;
}

/**
 * Runs faults under load and prints the report. `start` starts and migrates the stores of the run.
 * The exit code is 1 when the run broke a limit; the logs of the processes are kept then.
 * @param isKept true: the report replaces the stored one of its kind.
 */
export async function runReported(
  kind: RunKind,
  load: Load,
  isKept: boolean,
  start: (scope: Scope, directory: string) => Promise<RunPlan>,
): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), `chargeway-${kind}-`));
  // PostgreSQL does not run as root: its account must be able to enter.
  chmodSync(directory, 0o711);
  startProgress();
  showProgress('starting the stores');
  const scope = new RunScope();
  try {
    const { urls, earlier, ...plan } = await start(scope, directory);
    const sql = openPostgres(urls.databaseUrl, { name: 'chargeway-chaos', connections: 4 });
    const clickhouse = openClickHouse(urls.clickhouseUrl, { name: 'chargeway-chaos', connections: 2 });
    const versions = await storeVersions(sql, clickhouse);
    const result = await runChaos(
      { ...urls, sql, clickhouse },
      {
        ...plan,
        stations: load.stations,
        seed: load.seed,
        calmMs,
        faultMs,
        recoveryMs,
        everyMs: (load.minutes * 60_000) / load.faults,
        directory,
        onProgress: showProgress,
      },
    );
    await Promise.all([sql.end(), clickhouse.close()]);
    const report = createReport(
      kind,
      result,
      { ...load, ...(earlier !== undefined && { earlier }) },
      versions,
    );
    if (isKept) keepReport(report);
    endProgress();
    console.log(formatReport(report));
    if (report.failures.length > 0) process.exitCode = 1;
  } finally {
    await scope.end();
    if (process.exitCode === 1) console.error(`The logs of the processes are in ${directory}`);
    else rmSync(directory, { recursive: true, force: true });
  }
}
