import { BroadcastChannel, workerData } from 'node:worker_threads';
import type { ShardOptions } from '#gateway/supervisor/shard-options.ts';

/** Way in which a shard fails: an error thrown in a callback, or an unhandled rejection. */
export type Failure = 'thrown' | 'rejected';

await import('#gateway/shard/thread.ts');

const { node } = workerData as ShardOptions;
const channel = new BroadcastChannel('fail-shard');
channel.addEventListener('message', (message) => {
  const { to, how } = (message as unknown as { data: { to: string; how: Failure } }).data;
  if (to !== node) return;
  const error = new Error('this shard fails on request');
  if (how === 'rejected') void Promise.reject(error);
  else {
    setImmediate(() => {
      throw error;
    });
  }
});
// It keeps no thread alive that wants to end.
channel.unref();
