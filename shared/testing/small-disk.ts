import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Test } from 'tap';

/**
 * Mounts a file system of so many MiB; null, and the test is skipped with the reason, where this account may not mount.
 */
export function smallDisk(t: Pick<Test, 'teardown' | 'pass'>, mebibytes: number): string | null {
  const path = mkdtempSync(join(tmpdir(), 'chargeway-test-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${mebibytes}m`, 'tmpfs', path], { stdio: 'pipe' });
  } catch (error) {
    rmSync(path, { recursive: true });
    t.pass('no file system can be mounted', { skip: String(error) });
    return null;
  }
  t.teardown(() => {
    execFileSync('umount', ['--lazy', path]);
    rmSync(path, { recursive: true });
  });
  return path;
}

/** Bytes that an account without privileges may still write. */
export function freeBytes(path: string): number {
  const { bavail, bsize } = statfsSync(path);
  return bavail * bsize;
}
