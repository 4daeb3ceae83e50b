import { createHash } from 'node:crypto';
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Folder of the built console, and the file in it that names the sources it was built from. */
export const consoleDist = join(import.meta.dirname, 'dist');
const stampFile = join(consoleDist, 'sources.txt');

/** Returns a digest of everything that decides on the build: the sources, and the packages of the lock file. */
async function sourcesDigest(): Promise<string> {
  const entries = await readdir(import.meta.dirname, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((file) => !file.startsWith(consoleDist));
  const hash = createHash('sha256');
  for (const file of [...files.toSorted(), join(import.meta.dirname, '../../package-lock.json')]) {
    hash.update(file.slice(import.meta.dirname.length)).update(await readFile(file));
  }
  return hash.digest('hex');
}

/** Returns whether the built console is that of the present sources. */
export async function isConsoleBuilt(): Promise<boolean> {
  const built = await readFile(stampFile, 'utf8').catch(() => null);
  return built !== null && built === (await sourcesDigest());
}

/** Builds the console beside the served one and puts it in its place. */
export async function buildConsole(): Promise<void> {
  const { build } = await import('vite');
  const digest = await sourcesDigest();
  const fresh = `${consoleDist}-${process.pid}`;
  await build({
    configFile: join(import.meta.dirname, 'vite.config.ts'),
    logLevel: 'warn',
    build: { outDir: fresh },
  });
  await writeFile(join(fresh, 'sources.txt'), digest);
  await rm(consoleDist, { recursive: true, force: true });
  try {
    await rename(fresh, consoleDist);
  } catch (error) {
    // Another process that built the same sources was first.
    await rm(fresh, { recursive: true, force: true });
    if (!(await isConsoleBuilt())) throw error;
  }
}
