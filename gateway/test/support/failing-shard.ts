import { BroadcastChannel, workerData } from 'node:worker_threads';
import type { ShardOptions } from '#gateway/processes/shard-options.ts';

/** How a shard is made to fail: an error thrown in a callback, or a promise that nobody waits for. */
export type Failure = 'thrown' | 'rejected';

await import('#gateway/shard/shard.ts');

const { node } = workerData as ShardOptions;
const channel = new BroadcastChannel('fail-shard');
channel.addEventListener('message', (message) => {
  const { to, how } = (message as unknown as { data: { to: string; how: Failure } }).data;
  if (to !== node) return;
  const error = new Error('this shard was told to fail');
  if (how === 'rejected') void Promise.reject(error);
  else {
    setImmediate(() => {
      throw error;
    });
  }
});
// It keeps no thread alive that wants to end.
channel.unref();
