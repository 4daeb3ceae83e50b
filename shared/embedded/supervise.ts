import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { EndStep } from './process-table.ts';
import type { StoreLog } from './store.ts';

/** A server process that is kept alive until it is stopped. */
export interface Supervised {
  readonly pid: number;
  stop(): Promise<void>;
}

interface SupervisedServer {
  name: string;
  /** Starts the server and resolves when it answers; rejects when it dies before that. */
  launch(): Promise<ChildProcess>;
  /** Signals that end the process, from gentle to forced, each with its time in ms. */
  endSteps: readonly EndStep[];
  log: StoreLog;
}

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;
/** A server that ran this long was healthy: its next death starts again with the short pause. */
const HEALTHY_MS = 10_000;

/**
 * Starts a server and starts it again whenever it dies, with growing pauses, until `stop()`.
 * A process that ends without `stop()` takes its server along, as far as an exit handler can.
 * @throws what the first launch throws; later failures are logged and tried again.
 */
export async function supervise(server: SupervisedServer): Promise<Supervised> {
  const stopping = new AbortController();
  let child = await server.launch();
  const endWithUs = (): void => void child.kill(server.endSteps[0]?.[0]);
  process.once('exit', endWithUs);

  const kept = keepRunning();
  let stopped: Promise<void> | undefined;
  return {
    get pid() {
      return pidOf(child);
    },
    stop: () => (stopped ??= stop()),
  };

  async function keepRunning(): Promise<void> {
    let pause = FIRST_PAUSE_MS;
    while (!stopping.signal.aborted) {
      const startedAt = Date.now();
      await exitOf(child, stopping.signal);
      if (stopping.signal.aborted) return;
      server.log(`${server.name} ended unexpectedly (${ending(child)}), starting it again`);
      if (Date.now() - startedAt > HEALTHY_MS) pause = FIRST_PAUSE_MS;
      await delay(pause, undefined, { signal: stopping.signal }).catch(() => undefined);
      pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
      await relaunch();
    }
  }

  /** A failed attempt leaves the dead child in place, so that the loop comes round again at once. */
  async function relaunch(): Promise<void> {
    if (stopping.signal.aborted) return;
    try {
      child = await server.launch();
    } catch (error) {
      server.log(`${server.name} could not be started again: ${String(error)}`);
    }
  }

  async function stop(): Promise<void> {
    stopping.abort();
    await kept;
    await endChild(child, server);
    process.removeListener('exit', endWithUs);
  }
}

/** Resolves when the child has ended, or when the abort signal fires. */
async function exitOf(child: ChildProcess, signal: AbortSignal): Promise<void> {
  if (hasEnded(child)) return;
  await once(child, 'exit', { signal }).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
}

/**
 * Ends a child of ours step by step and waits for each.
 * @throws Error when it outlives the last step.
 */
async function endChild(
  child: ChildProcess,
  server: Pick<SupervisedServer, 'name' | 'endSteps'>,
): Promise<void> {
  for (const [signal, waitMs] of server.endSteps) {
    if (hasEnded(child)) return;
    const ended = exitOf(child, AbortSignal.timeout(waitMs));
    child.kill(signal);
    await ended;
  }
  if (!hasEnded(child)) throw new Error(`${server.name} (process ${pidOf(child)}) could not be ended`);
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

function ending(child: ChildProcess): string {
  return child.signalCode ?? `exit code ${child.exitCode}`;
}

function pidOf(child: ChildProcess): number {
  if (child.pid === undefined) throw new Error('the process was never started');
  return child.pid;
}
