import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Where a process of a gateway spools; each has its own, and the first keeps the name that a single one has. */
export function spoolDirectory(dataDir: string, process: number): string {
  return join(dataDir, process === 0 ? 'spool' : `spool-${process}`);
}

/** The spools of processes that there are no more, since GATEWAY_PROCESSES was larger; they may hold readings. */
export function orphanedSpools(dataDir: string, processes: number): string[] {
  return readdirSync(dataDir)
    .filter((name) => Number(/^spool-(\d+)$/.exec(name)?.[1] ?? 0) >= processes)
    .map((name) => join(dataDir, name));
}
