import { execFileSync } from 'node:child_process';
import { dependentsOf } from './dependents.ts';
import { readDurations, expectedSeconds } from './durations.ts';
import { root, testFilesOf } from './test-files.ts';

/** Seconds of test files, added up, that one run takes: two or three workers run them within a minute. */
const budgetSeconds = 100;

/**
 * Returns the test files that import or read a file changed since a revision, directly or through other files, the closest first.
 * Files beyond a minute's work are skipped.
 */
export function affectedFiles(revision: string): { files: string[]; skipped: string[] } {
  const distances = dependentsOf(root, testFilesOf('default'), changedFiles(revision));
  const durations = readDurations();
  const closestFirst = [...distances].toSorted(
    ([one, near], [other, far]) =>
      near - far || expectedSeconds(one, durations) - expectedSeconds(other, durations),
  );
  const files: string[] = [];
  const skipped: string[] = [];
  let seconds = 0;
  for (const [file] of closestFirst) {
    seconds += expectedSeconds(file, durations);
    (seconds <= budgetSeconds ? files : skipped).push(file);
  }
  return { files, skipped };
}

/** Returns the files that differ from a revision, committed or not, and those that git does not know yet. */
function changedFiles(revision: string): string[] {
  return [...git('diff', '--name-only', revision), ...git('ls-files', '--others', '--exclude-standard')];
}

/** Returns the lines that a git command prints. */
function git(...args: string[]): string[] {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean);
}
