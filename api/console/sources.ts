import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { consoleDist } from './dist.ts';

/** File of a built console that holds the digest of its sources. */
export const stampName = 'sources.txt';

const root = join(import.meta.dirname, '../..');

/** Directories next to the sources: builds, and files that the builder writes while it runs. */
const outside = [consoleDist, join(import.meta.dirname, 'node_modules')];

/** Returns a digest of everything that decides on the build: the sources, and the packages of the lock file. */
export async function sourcesDigest(): Promise<string> {
  const entries = await Promise.all(
    [import.meta.dirname, join(root, 'shared/domain')].map((directory) =>
      readdir(directory, { recursive: true, withFileTypes: true }),
    ),
  );
  const files = entries
    .flat()
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((file) => !outside.some((directory) => file.startsWith(directory)));
  const hash = createHash('sha256');
  for (const file of [...files.toSorted(), join(root, 'package-lock.json')]) {
    hash.update(file.slice(root.length)).update(await readFile(file));
  }
  return hash.digest('hex');
}

/** Returns whether the console was built from the present sources. */
export async function isConsoleBuilt(): Promise<boolean> {
  const built = await readFile(join(consoleDist, stampName), 'utf8').catch(() => null);
  return built !== null && built === (await sourcesDigest());
}
