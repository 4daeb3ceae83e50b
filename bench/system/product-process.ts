import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';

/** A running process of the product. */
export interface ProductProcess {
  readonly pid: number;
  /** Sends a signal and resolves when the process has ended. */
  end(signal: NodeJS.Signals): Promise<void>;
}

const readyWithinMs = 60_000;

/** Starts an entry point as npm does, and resolves when its health address answers 200. */
export async function startProductProcess(
  entry: string,
  env: Record<string, string>,
  healthUrl: string,
): Promise<ProductProcess> {
  const deadline = performance.now() + readyWithinMs;
  const child = spawn(process.execPath, ['deploy/run.js', entry], {
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const exited = once(child, 'exit');
  const { pid } = child;
  if (pid === undefined) throw new Error(`${entry} could not be started`);
  const killWithUs = (): void => void child.kill('SIGKILL');
  process.once('exit', killWithUs);
  void exited.then(() => process.off('exit', killWithUs));
  while (!(await isReady(healthUrl))) {
    if (child.exitCode !== null || performance.now() > deadline) {
      child.kill('SIGKILL');
      throw new Error(`${entry} did not become ready`);
    }
    await wait(20);
  }
  return {
    pid,
    async end(signal) {
      child.kill(signal);
      await exited;
    },
  };
}

async function isReady(healthUrl: string): Promise<boolean> {
  try {
    return (await fetch(healthUrl)).ok;
  } catch {
    return false;
  }
}
