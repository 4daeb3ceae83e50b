import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';

/** Runs tap with options and files; resolves with its exit code. `environment` is added to that of this process. */
export async function runTap(
  tapArguments: readonly string[],
  environment: Record<string, string> = {},
): Promise<number> {
  // tap builds its class for the plugins of .taprc on the first run after an install, too late for that run.
  // Not on every run: the class would be missing for a moment, and for good when two runs build at once.
  if (!(await isTapBuilt())) await spawnTap(['build'], {});
  return spawnTap(tapArguments, environment);
}

/** Returns whether tap's class is built for .taprc, without the plugin that .taprc leaves out. */
async function isTapBuilt(): Promise<boolean> {
  const built = new URL('../../node_modules/@tapjs/test/test-built/src/index.ts', import.meta.url);
  const source = await readFile(built, 'utf8').catch(() => '@tapjs/typescript');
  return !source.includes('@tapjs/typescript');
}

function spawnTap(tapArguments: readonly string[], environment: Record<string, string>): Promise<number> {
  const tap = spawn('tap', tapArguments, { stdio: 'inherit', env: { ...process.env, ...environment } });
  return new Promise((resolve, reject) => {
    tap.once('error', reject);
    tap.once('exit', (code) => resolve(code ?? 1));
  });
}
