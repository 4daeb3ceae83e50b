import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';

/** Busy loops for each core. */
const loopsPerCore = 2;

/**
 * Starts busy loops next to the tests when `STARVE=1` is set; returns what stops them. A test that fails only with them depends on
 * the speed of the machine. Each loop ends by itself when its parent is gone.
 */
export function startBusyLoops(): () => void {
  if (process.env['STARVE'] !== '1') return () => undefined;
  const script =
    'const parent = process.ppid; while (process.ppid === parent) { for (let i = 0; i < 1e8; i += 1); }';
  const loops = Array.from({ length: loopsPerCore * availableParallelism() }, () =>
    spawn(process.execPath, ['-e', script], { stdio: 'ignore' }),
  );
  return () => {
    for (const loop of loops) loop.kill('SIGKILL');
  };
}
