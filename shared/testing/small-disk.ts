import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Test } from 'tap';

/**
 * Mounts a file system of so many MiB; null, and the test is skipped with the reason, where this account may not mount.
 */
export function smallDisk(t: Pick<Test, 'teardown' | 'pass'>, mebibytes: number): string | null {
  const path = mkdtempSync(join(tmpdir(), 'chargeway-test-disk-'));
  const mounted = mountSmallDisk(path, mebibytes);
  if ('refusal' in mounted) {
    rmSync(path, { recursive: true });
    t.pass('no file system can be mounted', { skip: mounted.refusal });
    return null;
  }
  t.teardown(() => {
    mounted.unmount();
    rmSync(path, { recursive: true });
  });
  return path;
}

/** Mounts a file system of so many MiB on a directory, which is created; the refusal where this account may not mount. */
export function mountSmallDisk(path: string, mebibytes: number): { unmount(): void } | { refusal: string } {
  mkdirSync(path, { recursive: true });
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${mebibytes}m`, 'tmpfs', path], { stdio: 'pipe' });
  } catch (error) {
    return { refusal: String(error) };
  }
  return { unmount: () => void execFileSync('umount', ['--lazy', path]) };
}

/** Fills a disk, to which others may write; returns the function that makes room again. */
export function fillDisk(path: string): () => void {
  const ballast = join(path, 'ballast');
  try {
    writeFileSync(ballast, Buffer.alloc(freeBytes(path)));
  } catch (error) {
    if (!isFull(error)) throw error;
  }
  return () => rmSync(ballast);
}

function isFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOSPC';
}

/** Bytes that an account without privileges may still write. */
function freeBytes(path: string): number {
  const { bavail, bsize } = statfsSync(path);
  return bavail * bsize;
}
