import { parentPort, workerData } from 'node:worker_threads';
import type { ShardOptions } from '#gateway/supervisor/shard-options.ts';
import type { FirstToShard } from '#gateway/supervisor/shard-messages.ts';
import { serveShard } from './serve.ts';

const port = parentPort;
port?.once('message', (message: FirstToShard) => {
  if (message.type === 'start') void serveShard(workerData as ShardOptions, message.urls, port);
  else port.close();
});
