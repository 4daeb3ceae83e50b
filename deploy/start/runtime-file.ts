import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '#shared/config/config.ts';

/** Addresses of a running all-in-one system; kept in `DATA_DIR/runtime.json` while it runs, owner-only. */
export interface Runtime {
  pid: number;
  apiUrl: string;
  ocppUrl: string;
  databaseUrl: string;
  clickhouseUrl: string;
}

const pathIn = (dataDir: string): string => join(dataDir, 'runtime.json');

/** Tells where the system that runs on this data directory is. */
export function writeRuntime(dataDir: string, runtime: Runtime): void {
  writeFileSync(pathIn(dataDir), `${JSON.stringify(runtime, null, 2)}\n`, { mode: 0o600 });
}

/** The system that runs on this data directory; null when none does. */
export function readRuntime(dataDir: string): Runtime | null {
  try {
    const runtime = JSON.parse(readFileSync(pathIn(dataDir), 'utf8')) as Runtime;
    process.kill(runtime.pid, 0);
    return runtime;
  } catch {
    return null;
  }
}

/**
 * The stores of the environment, else the stores of the all-in-one system that runs on the data directory.
 * @throws {Error} when there is neither.
 */
export function runningStores(config: Config): Pick<Runtime, 'databaseUrl' | 'clickhouseUrl'> {
  const { databaseUrl, clickhouseUrl } = config;
  if (databaseUrl !== null && clickhouseUrl !== null) return { databaseUrl, clickhouseUrl };
  const runtime = readRuntime(config.dataDir);
  if (runtime === null) throw new Error(`no system runs on ${config.dataDir}`);
  return runtime;
}

export function removeRuntime(dataDir: string): void {
  rmSync(pathIn(dataDir), { force: true });
}
