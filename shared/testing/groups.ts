import { glob, mkdir, rm, writeFile } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import { defaultSeconds, slowFiles } from './slow-files.ts';

const root = join(import.meta.dirname, '../..');
const folders = ['deploy', 'gateway', 'api', 'shared', 'bench'];

/** Ending of the names of unit tests: tests that need no store. */
const unitEnding = '.unit.test.ts';

/** Test files that measure the memory of their process. */
const alone = ['gateway/test/fuzz.test.ts'];

/** Seconds per group: enough files to share the start of a process, few enough to keep the cores evenly busy. */
const secondsPerGroup = 40;

/** Processes for all unit tests: more than cores, because some tests wait. */
const unitGroups = 4;

interface Group {
  name: string;
  /** Test files, from the root. */
  files: string[];
}

/**
 * Groups all test files, because a process spends seconds on imports before its first test. A group imports its
 * members, whose tests run one after the other. The slowest groups come first, so that no core waits for the last one.
 * @returns the files that tap runs, from the root.
 */
export async function groupTestFiles(): Promise<string[]> {
  const groups = alone.map((file) => ({ name: nameOf(file), files: [file] }));
  for (const folder of folders) {
    const files = (await testFilesIn(folder)).filter((file) => !isUnit(file) && !alone.includes(file));
    groups.push(...balanced(folder, files, Math.ceil(secondsOf(files) / secondsPerGroup)));
  }
  groups.push(...balanced('unit', await unitTestFiles(), unitGroups));
  const slowestFirst = groups.toSorted((one, other) => secondsOf(other.files) - secondsOf(one.files));
  return writeGroups('.tap/groups', slowestFirst);
}

/** Groups the unit tests; returns the files that import the members of each group, from the root. */
export async function groupUnitTests(): Promise<string[]> {
  const groups = balanced('unit', await unitTestFiles(), unitGroups);
  await writeGroups('.tap/unit', groups);
  return groups.map(({ name }) => membersPath('.tap/unit', name));
}

/** Makes a group of each of the given test files; returns the files that tap runs, from the root. */
export function groupEach(files: string[]): Promise<string[]> {
  const groups = files.map((file) => ({ name: nameOf(file), files: [relative(root, file)] }));
  return writeGroups('.tap/groups', groups);
}

/** Returns all test files below a folder of the root, from the root, in the order of their names. */
export async function testFilesIn(folder: string): Promise<string[]> {
  const files: string[] = [];
  for await (const file of glob(`${folder}/**/test/**/*.test.ts`, { cwd: root })) {
    if (!file.includes('node_modules')) files.push(file);
  }
  return files.toSorted();
}

export function isUnit(file: string): boolean {
  return file.endsWith(unitEnding);
}

async function unitTestFiles(): Promise<string[]> {
  const files = await Promise.all(folders.map((folder) => testFilesIn(folder)));
  return files.flat().filter(isUnit);
}

/** Divides files into groups that take about the same time: the slowest file first, each to the group with least. */
function balanced(name: string, files: readonly string[], count: number): Group[] {
  const groups = Array.from({ length: count }, (_, index) => ({
    name: `${name}-${index + 1}`,
    files: [] as string[],
    seconds: 0,
  }));
  for (const file of files.toSorted((one, other) => secondsOf([other]) - secondsOf([one]))) {
    const [first, ...rest] = groups;
    if (first === undefined) break;
    const lightest = rest.reduce((least, group) => (group.seconds < least.seconds ? group : least), first);
    lightest.files.push(file);
    lightest.seconds += secondsOf([file]);
  }
  return groups.filter(({ files }) => files.length > 0);
}

function secondsOf(files: readonly string[]): number {
  return files.reduce((sum, file) => sum + (slowFiles[basename(file)] ?? defaultSeconds(isUnit(file))), 0);
}

/** Path of the file that imports the members of a group, from the root. */
const membersPath = (directory: string, name: string): string => join(directory, 'members', `${name}.ts`);

async function writeGroups(directory: string, groups: Group[]): Promise<string[]> {
  await rm(join(root, directory), { recursive: true, force: true });
  await mkdir(join(root, directory, 'members'), { recursive: true });
  return Promise.all(
    groups.map(async ({ name, files }, index) => {
      const members = membersPath(directory, name);
      const imports = files.map((file) => `import '../../../${file}';\n`);
      await writeFile(
        join(root, members),
        `import { letRootEnd } from '#shared/testing/root-end.ts';\n${imports.join('')}\nletRootEnd();\n`,
      );
      // tap runs files by the order of their names.
      const path = join(directory, `${String(index + 1).padStart(2, '0')}-${name}.ts`);
      await writeFile(
        join(root, path),
        `import { runInPlainNode } from '#shared/testing/plain-node.ts';\n\nrunInPlainNode('${members}');\n`,
      );
      return path;
    }),
  );
}

function nameOf(file: string): string {
  return relative(root, file)
    .replaceAll('/', '-')
    .replace(/\.test\.ts$/, '');
}
