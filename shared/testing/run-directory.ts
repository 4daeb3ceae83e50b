import { chmodSync, existsSync, mkdtempSync, statfsSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';

/** File system in memory of Linux. */
const memoryFolder = '/dev/shm';

/** Free memory, in bytes, above which a run keeps its files there: several times what the stores of a run write. */
const requiredBytes = 6 * 1024 ** 3;

/**
 * Creates the directory of a test run, in memory where there is room. A database of a test has a thousand files, and
 * to create and remove them on a disk takes ten times the CPU time.
 */
export function createRunDirectory(): string {
  const directory = mkdtempSync(join(hasRoom(memoryFolder) ? memoryFolder : tmpdir(), 'chargeway-test-'));
  // PostgreSQL does not run as root: its account must be able to enter.
  chmodSync(directory, 0o711);
  return directory;
}

function hasRoom(folder: string): boolean {
  if (!existsSync(folder)) return false;
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize >= requiredBytes && freemem() >= requiredBytes;
}
