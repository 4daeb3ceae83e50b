import { glob, mkdir, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';

const root = join(import.meta.dirname, '../..');
const directory = '.tap/groups';

/** How many test files share a process: enough to spread its start, few enough to keep the cores evenly busy. */
const filesPerGroup = 6;

/** Those that look at the memory of their process. */
const alone = ['gateway/test/fuzz.test.ts'];

/**
 * Groups all test files, since a process spends seconds on imports before its first test: a group imports its members, whose
 * tests queue up one after the other. Those that take longest come first, so that no core waits for the last one.
 * @returns what tap is to run, from the root.
 */
export async function groupTestFiles(): Promise<string[]> {
  const groups = alone.map((file) => ({ name: nameOf(file), files: [file] }));
  for (const folder of ['deploy', 'gateway', 'api', 'shared', 'bench']) {
    const files = await testFilesIn(folder);
    for (let from = 0; from < files.length; from += filesPerGroup) {
      const name = `${folder}-${from / filesPerGroup + 1}`;
      groups.push({ name, files: files.slice(from, from + filesPerGroup) });
    }
  }
  return writeGroups(groups);
}

/** The given test files, each a group of its own. */
export function groupEach(files: string[]): Promise<string[]> {
  return writeGroups(files.map((file) => ({ name: nameOf(file), files: [relative(root, file)] })));
}

interface Group {
  name: string;
  /** Test files, from the root. */
  files: string[];
}

async function writeGroups(groups: Group[]): Promise<string[]> {
  await rm(join(root, directory), { recursive: true, force: true });
  await mkdir(join(root, directory, 'members'), { recursive: true });
  return Promise.all(
    groups.map(async ({ name, files }, index) => {
      const members = join(directory, 'members', `${name}.ts`);
      await writeFile(join(root, members), files.map((file) => `import '../../../${file}';\n`).join(''));
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

async function testFilesIn(folder: string): Promise<string[]> {
  const files: string[] = [];
  for await (const file of glob(`${folder}/**/test/**/*.test.ts`, { cwd: root })) {
    const isOurs = !file.includes('node_modules') && !alone.includes(file);
    if (isOurs) files.push(file);
  }
  return files.toSorted();
}
