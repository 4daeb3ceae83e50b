import { parentPort, workerData } from 'node:worker_threads';
import type { ShardOptions } from '#gateway/processes/shard-options.ts';
import { serveShard } from './serve.ts';

if (parentPort !== null) await serveShard(workerData as ShardOptions, parentPort);
