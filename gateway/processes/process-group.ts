import { fork } from 'node:child_process';
import { AggregatorRegistry } from 'prom-client';
import { orStopped } from '#shared/config/stop.ts';
import type { Logger } from '#shared/log/log.ts';
import { importsStripped } from '#shared/stripping/options.ts';
import { SupervisedWorker, type WorkerEvents, type WorkerHandle } from './supervised-worker.ts';
import type { Gateway } from './supervisor.ts';
import type { FromWorker } from './worker-messages.ts';

/** Longer than a process takes to stop by itself (`process.ts`). */
const stopWithinMs = 30_000;

/** Longer than a process waits for the metrics of its shards (`supervisor.ts`). */
const metricsWithinMs = 8000;

/**
 * Starts a gateway of several processes that share the port (SO_REUSEPORT), each with its own shard threads: the limit of
 * open files is one per process. Resolves when all of them listen. A process that exits is started again; its chargers
 * reconnect to any process.
 * @throws {Error} when a process cannot start, or when `stopping` is aborted before; the others are stopped.
 */
export async function startGatewayProcesses(options: {
  processes: number;
  log: Logger;
  stopping: AbortSignal;
}): Promise<Gateway> {
  const { processes, log, stopping } = options;
  const group = Array.from(
    { length: processes },
    (_, index) =>
      new SupervisedWorker({
        kind: 'gateway process',
        fields: { process: index },
        launch: (events) => launchProcess(index, processes, events),
        stopWithinMs,
        metricsWithinMs,
        log,
      }),
  );
  const stop = async (): Promise<void> => {
    await Promise.all(group.map((member) => member.stop()));
  };
  try {
    await orStopped(Promise.all(group.map((member) => member.start())), stopping);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    async metrics() {
      const collected = await Promise.all(group.map((member) => member.metrics()));
      return AggregatorRegistry.aggregate(collected.flat()).metrics();
    },
    isReady: () => group.every((member) => member.isListening),
    stop,
  };
}

function launchProcess(index: number, processes: number, events: WorkerEvents): WorkerHandle {
  const child = fork(new URL('./process.ts', import.meta.url), [String(index), String(processes)], {
    execArgv: [...process.execArgv, ...importsStripped],
  });
  child.on('message', (message: FromWorker) => events.message(message));
  child.on('error', (error) => events.failed(error));
  const exited = new Promise<void>((resolve) => {
    child.on('exit', (code, signal) => {
      events.exited(signal ?? code);
      resolve();
    });
  });
  return {
    pid: child.pid,
    // A message, not a signal: a terminal or a service manager signals the whole process group already.
    // An error of sending is ignored: the exit of the process follows.
    send: (message) => void child.send(message, () => undefined),
    kill: () => void child.kill('SIGKILL'),
    exited,
  };
}
