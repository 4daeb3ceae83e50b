import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import type { ShardOptions } from '#gateway/processes/shard-options.ts';
import type { FromWorker, ToWorker } from '#gateway/processes/worker-messages.ts';

/** A shard for tests: the first cannot start, the others take their time and leave a file when they have. */
const { index, dataDir } = workerData as ShardOptions;
const notify = (message: FromWorker): void => parentPort?.postMessage(message);
if (index === 0) {
  notify({ type: 'failed', message: 'it cannot' });
} else {
  await wait(300);
  writeFileSync(join(dataDir, `started-${index}`), '');
  parentPort?.on('message', ({ type }: ToWorker) => {
    if (type === 'stop') parentPort?.close();
  });
  notify({ type: 'ready' });
}
