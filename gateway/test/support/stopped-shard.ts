import { subscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';
import type { FirstToShard } from '#gateway/supervisor/shard-messages.ts';
import type { ShardOptions } from '#gateway/supervisor/shard-options.ts';
import { serveShard } from '#gateway/shard/serve.ts';

/** A shard for tests that has to stop when it connects to itself, just before it listens (`upgrade-cork.ts`). */
parentPort?.once('message', (first: FirstToShard) => {
  if (first.type === 'stop' || parentPort === null) return;
  const { databaseUrl, clickhouseUrl, redisUrl } = first.urls;
  const ports = [databaseUrl, clickhouseUrl, redisUrl ?? 'redis://localhost'].map((url) => new URL(url).port);
  subscribe('net.client.socket', (message) => {
    const { socket } = message as { socket: Socket };
    socket.once('connect', () => {
      if (!ports.includes(String(socket.remotePort))) parentPort?.emit('message', { type: 'stop' });
    });
  });
  void serveShard(workerData as ShardOptions, first.urls, parentPort);
});
