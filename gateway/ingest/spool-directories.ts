import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Returns the spool directory of a gateway process; the first uses the name that a single process has. */
export function spoolDirectory(dataDir: string, process: number): string {
  return join(dataDir, process === 0 ? 'spool' : `spool-${process}`);
}

/** Returns the spools of processes beyond the current GATEWAY_PROCESSES; they may hold readings. */
export function orphanedSpools(dataDir: string, processes: number): string[] {
  return readdirSync(dataDir)
    .filter((name) => Number(/^spool-(\d+)$/.exec(name)?.[1] ?? 0) >= processes)
    .map((name) => join(dataDir, name));
}
