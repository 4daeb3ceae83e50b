import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'vite';
import { consoleDist } from './dist.ts';
import { isConsoleBuilt, sourcesDigest, stampName } from './sources.ts';

/** Builds the console next to the served one and puts it in its place. */
export async function buildConsole(): Promise<void> {
  const digest = await sourcesDigest();
  const fresh = `${consoleDist}-${process.pid}`;
  await build({
    configFile: join(import.meta.dirname, 'vite.config.ts'),
    logLevel: 'warn',
    build: { outDir: fresh },
  });
  await writeFile(join(fresh, stampName), digest);
  // Another process may have built the same sources meanwhile, and its pages load parts of that build.
  if (await isConsoleBuilt()) {
    await rm(fresh, { recursive: true, force: true });
    return;
  }
  try {
    // Retried while another process puts its build in place.
    await rm(consoleDist, { recursive: true, force: true, maxRetries: 5 });
    await rename(fresh, consoleDist);
  } catch (error) {
    // Another process put its build in place at the same moment.
    await rm(fresh, { recursive: true, force: true });
    if (!(await isConsoleBuilt())) throw error;
  }
}
