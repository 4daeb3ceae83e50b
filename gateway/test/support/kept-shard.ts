import { type MessagePort, parentPort } from 'node:worker_threads';
import type { ShardOptions, StoreUrls } from '#gateway/supervisor/shard-options.ts';
import { serveShard } from '#gateway/shard/serve.ts';
import { hastyClock } from '#shared/testing/hasty-clock.ts';
import { until } from '#shared/testing/until.ts';

/** Timers and handles of the thread between two shards. */
const own = process.getActiveResourcesInfo().length;

/** Shard that the thread is to run. */
export interface KeptShard {
  options: ShardOptions;
  urls: StoreUrls;
  port: MessagePort;
}

/** Runs one shard after the other (`kept-threads.ts`). */
parentPort?.on('message', ({ options, urls, port }: KeptShard) => {
  port.once('close', () => void waitUntilIdle());
  void serveShard(options, urls, port, hastyClock);
});

/** Waits for the end of all that the shard used: a thread of its own ends then. */
async function waitUntilIdle(): Promise<void> {
  await until('an idle thread', async () => process.getActiveResourcesInfo().length <= own);
  parentPort?.postMessage('idle');
}
