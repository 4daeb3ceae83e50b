import { MessageChannel, Worker } from 'node:worker_threads';
import type { ShardOptions, StoreUrls } from '#gateway/supervisor/shard-options.ts';
import type { WorkerEvents, WorkerHandle } from '#gateway/supervisor/shard-worker.ts';
import type { FromShard } from '#gateway/supervisor/shard-messages.ts';
import { importsStripped } from '#shared/stripping/options.ts';
import type { KeptShard } from './kept-shard.ts';

const entry = new URL('./kept-shard.ts', import.meta.url);

/** Threads whose shard has stopped. */
const idle: Worker[] = [];

/**
 * Launches a shard in a thread whose former shard has stopped, or in a new one: the imports of a thread take more CPU time than
 * a test. Shards of a thread share nothing but modules.
 */
export function launchKept(
  options: ShardOptions,
  urls: Promise<StoreUrls>,
  events: WorkerEvents,
): WorkerHandle {
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
    // The process can end.
    worker.unref();
    idle.push(worker);
  };
  // Without a listener, an error of the thread fails the running test; a shard reports its errors itself.
  worker.on('message', keep).on('exit', exit);
  port.on('message', (message: FromShard) => events.message(message));
  const begin = (ready: StoreUrls): void =>
    worker.postMessage({ options, urls: ready, port: port2 } satisfies KeptShard, [port2]);
  void urls.then(begin, keep);
  return {
    send: (message) => port.postMessage(message),
    kill: () => void worker.terminate(),
    exited: exited.promise,
  };
}
