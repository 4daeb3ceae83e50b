import { MessageChannel, Worker } from 'node:worker_threads';
import type { ShardOptions } from '#gateway/processes/shard-options.ts';
import type { WorkerEvents, WorkerHandle } from '#gateway/processes/supervised-worker.ts';
import type { FromWorker } from '#gateway/processes/worker-messages.ts';
import { importsStripped } from '#shared/stripping/options.ts';

const entry = new URL('./kept-shard.ts', import.meta.url);

/** Threads whose shard has stopped. */
const idle: Worker[] = [];

/**
 * Launches a shard in a thread whose former shard has stopped, or in a new one: a thread spends more CPU time on imports than
 * a test does on all else. Shards share nothing but modules.
 */
export function launchKept(options: ShardOptions, events: WorkerEvents): WorkerHandle {
  const worker = idle.pop() ?? new Worker(entry, { execArgv: importsStripped });
  worker.ref();
  const { port1: port, port2 } = new MessageChannel();
  const exited = Promise.withResolvers<void>();
  const exit = (code: number): void => {
    worker.off('message', keep).off('exit', exit);
    events.exited(code);
    exited.resolve();
  };
  const keep = (): void => {
    exit(0);
    // It keeps no process alive that wants to end.
    worker.unref();
    idle.push(worker);
  };
  // An error of the thread, which is none of its shard, fails the test.
  worker.on('message', keep).on('exit', exit);
  port.on('message', (message: FromWorker) => events.message(message));
  worker.postMessage({ options, port: port2 }, [port2]);
  return {
    send: (message) => port.postMessage(message),
    kill: () => void worker.terminate(),
    exited: exited.promise,
  };
}
