import { spawn } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { isConsoleBuilt } from '#api/console/sources.ts';
import type { Logger } from '#shared/log/log.ts';

const root = join(import.meta.dirname, '../..');

/**
 * Builds the console of a checkout in a process of its own, where its sources changed since the last build. The API
 * serves meanwhile. Returns a function that ends the build.
 */
export async function buildConsoleInBackground(log: Logger): Promise<() => void> {
  if (!hasBuilder() || (await isConsoleBuilt())) return () => undefined;
  const build = spawn(process.execPath, ['deploy/run.js', 'api/console/build.ts'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  if (build.pid !== undefined) setPriority(build.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  let errors = '';
  build.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  build.once('error', (err) => log.error({ err }, 'console not built'));
  build.once('exit', (code, signal) => {
    if (code === 0) log.info('console built');
    else if (signal === null) log.error({ code, errors }, 'console not built');
  });
  return () => build.kill();
}

/** Returns whether the development packages are installed. Images contain a built console instead. */
function hasBuilder(): boolean {
  try {
    import.meta.resolve('vite');
    return true;
  } catch {
    return false;
  }
}
