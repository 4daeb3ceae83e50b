import { globSync } from 'node:fs';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '../../..');

/** Ending of the names of unit tests, which need no store. */
const unitEnding = '.unit.test.ts';

/** Ending of the names of the tests that kill, fail over or cluster whole systems (`npm run test:system`). */
const systemEnding = '.system.test.ts';

export type Selection = 'default' | 'unit' | 'system' | 'all';

/** Files that share what a worker process keeps: a console, a gateway, an application. */
export type Kind = 'console' | 'system' | 'deploy' | 'gateway' | 'api' | 'shared' | 'bench' | 'unit';

/** Returns all test files, from the root, in the order of their names. */
export function allTestFiles(): string[] {
  return globSync('{api,bench,deploy,gateway,shared}/**/test/**/*.test.ts', {
    cwd: root,
    exclude: (path) => path.includes('node_modules'),
  }).toSorted();
}

/** Returns the test files of a selection; the default selection leaves out the system tests. */
export function testFilesOf(selection: Selection): string[] {
  const files = allTestFiles();
  const isSelected = {
    unit: isUnit,
    system: isSystem,
    default: (file: string) => !isSystem(file),
    all: () => true,
  };
  return files.filter(isSelected[selection]);
}

export function isUnit(file: string): boolean {
  return file.endsWith(unitEnding);
}

export function isSystem(file: string): boolean {
  return file.endsWith(systemEnding);
}

export function kindOf(file: string): Kind {
  if (isUnit(file)) return 'unit';
  if (isSystem(file)) return 'system';
  if (file.startsWith('deploy/test/console/')) return 'console';
  const [folder] = file.split('/');
  return folder as Exclude<Kind, 'unit' | 'system' | 'console'>;
}
