import { readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  commandLine,
  type EndStep,
  endProcess,
  identify,
  processesIn,
  workingDirectory,
} from '#shared/embedded/process-table.ts';

/** Backends without a postmaster cannot commit any more; a stopped one only ends by SIGKILL. */
const endSteps: readonly EndStep[] = [
  ['SIGQUIT', 1_000],
  ['SIGKILL', 5_000],
];

/**
 * Makes a pid file that a killed server left harmless. PostgreSQL refuses to start while the process that the file names
 * exists, also when that is a zombie, or another process that was given the same id since. The id is replaced by ours: a
 * server ignores that of its parent, and still looks for backends that hold the shared memory named further down.
 * @throws {Error} when a server runs on the directory.
 */
export function disownPidFile(dataDir: string): void {
  const file = join(dataDir, 'postmaster.pid');
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return;
  }
  const pid = Number.parseInt(text, 10);
  if (identify(pid) !== undefined && isServerOf(pid, dataDir)) {
    throw new Error(
      `${dataDir} is in use: process ${pid} is a PostgreSQL server on it. Stop it, or set DATABASE_URL`,
    );
  }
  writeFileSync(file, text.replace(/^.*/, String(process.pid)));
}

/** Ends the backends that a killed server left behind: they hold its shared memory. */
export async function endOrphans(dataDir: string): Promise<void> {
  const orphans = processesIn(realpathSync(dataDir)).filter((pid) =>
    commandLine(pid).startsWith('postgres: '),
  );
  await Promise.all(
    orphans.flatMap((pid) => identify(pid) ?? []).map((orphan) => endProcess(orphan, endSteps)),
  );
}

/** PostgreSQL works in its data directory; where that cannot be seen, its name has to do. */
function isServerOf(pid: number, dataDir: string): boolean {
  if (process.platform === 'linux') return workingDirectory(pid) === realpathSync(dataDir);
  return /\bpostgres\b|\bpostmaster\b/.test(commandLine(pid));
}
