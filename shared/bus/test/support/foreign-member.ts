import { parentPort, workerData } from 'node:worker_threads';
import { createLocalBus } from '#shared/bus/local.ts';
import { createRedisBus } from '#shared/bus/redis.ts';

/** Start options of a foreign member's program: as a worker thread (`localName`) or a process (`url`). */
export type ForeignOptions = { node: string; presenceTtlMs: number } & (
  | { localName: string; gate: Int32Array<SharedArrayBuffer> }
  | { url: string }
);

const options = (workerData ?? JSON.parse(process.argv[2] ?? 'null')) as ForeignOptions;
const { node, presenceTtlMs } = options;
const bus =
  'url' in options
    ? await createRedisBus({ url: options.url, node, presenceTtlMs })
    : await createLocalBus({ name: options.localName, node, presenceTtlMs });

await bus.presence.claim('foreign-key', 'foreign-connection');
await bus.respond('foreign-echo', async (message) => message);
await bus.respond('foreign-block', async () => {
  // Blocks the whole thread, as a long computation does.
  if ('gate' in options) Atomics.wait(options.gate, 0, 0);
});

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- that is for browser windows
parentPort?.postMessage('ready');
process.send?.('ready');
