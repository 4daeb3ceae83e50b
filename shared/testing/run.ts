import { relative, resolve } from 'node:path';
import { affectedFiles } from './run/affected-files.ts';
import { startBusyLoops } from './run/busy-loops.ts';
import { parseOptions, type RunOptions } from './run/options.ts';
import { runFiles } from './run/run-files.ts';
import { startTestServers, type TestServers } from './run/servers.ts';
import { TapReport } from './run/tap-report.ts';
import { isUnit, root, testFilesOf } from './run/test-files.ts';
import { allPrograms, installHint, missingPackages } from './programs.ts';

/**
 * `npm test`: starts a real PostgreSQL, ClickHouse engine and Redis for the run, runs the test files in a few worker processes, and
 * stops the servers. Unit tests run without servers.
 */
async function main(args: readonly string[]): Promise<number> {
  const options = parseOptions(args);
  const { files, skipped } = chooseFiles(options);
  const needsStores = files.some((file) => !isUnit(file));
  const isPartial = options.files.length > 0 || options.changedSince !== null;
  const missing = missingPackages(!needsStores ? ['openssl'] : isPartial ? ['redis-server'] : allPrograms);
  if (missing.length > 0) {
    console.error(installHint(missing));
    return 1;
  }
  const report = new TapReport(options.files.length > 0);
  report.comment(`seed ${options.seed}`);
  const stopBusyLoops = startBusyLoops();
  let servers: TestServers | null = null;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    // The workers end with this process.
    process.once(signal, () => void (servers?.stop() ?? Promise.resolve()).finally(() => process.exit(1)));
  }
  try {
    if (needsStores) servers = await startTestServers();
    const passed = await runFiles(files, options, servers?.environment ?? {}, report);
    if (skipped.length > 0) report.comment(`skipped, affected too:\n${skipped.join('\n')}`);
    report.end();
    return passed ? 0 : 1;
  } finally {
    stopBusyLoops();
    await servers?.stop();
  }
}

function chooseFiles({ files, selection, changedSince }: RunOptions): { files: string[]; skipped: string[] } {
  if (changedSince !== null) return affectedFiles(changedSince);
  if (files.length === 0) return { files: testFilesOf(selection), skipped: [] };
  return { files: files.map((file) => relative(root, resolve(file))), skipped: [] };
}

process.exitCode = await main(process.argv.slice(3));
