import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isSystem, isUnit, kindOf, root } from './test-files.ts';

/** Durations of the test files in seconds, as measured in the last runs of this checkout. */
const path = join(root, '.tap/durations.json');

export type Durations = Record<string, number>;

export function readDurations(): Durations {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Durations;
  } catch {
    return {}; // the first run
  }
}

/** Stores durations, and keeps those of files that did not run. */
export function writeDurations(measured: Durations): void {
  mkdirSync(dirname(path), { recursive: true });
  const sorted = Object.entries({ ...readDurations(), ...measured }).toSorted(([one], [other]) =>
    one < other ? -1 : 1,
  );
  writeFileSync(path, `${JSON.stringify(Object.fromEntries(sorted), null, 1)}\n`);
}

/** Returns the seconds that a file is expected to take. Files that start processes or browsers take longest. */
export function expectedSeconds(file: string, durations: Durations): number {
  const measured = durations[file];
  if (measured !== undefined) return measured;
  if (isSystem(file)) return 30;
  if (isUnit(file)) return 0.2;
  const kind = kindOf(file);
  return kind === 'deploy' || kind === 'console' ? 10 : 2;
}
