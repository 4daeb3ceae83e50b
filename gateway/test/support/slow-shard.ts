import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import type { FromShard, ShardOptions, ToShard } from '#gateway/processes/shard-messages.ts';

/** A shard for tests: the first cannot start, the others take their time and leave a file when they have. */
const { index, spoolDirectory } = workerData as ShardOptions;
const tell = (message: FromShard): void => parentPort?.postMessage(message);
if (index === 0) {
  tell({ type: 'failed', message: 'it cannot' });
} else {
  await wait(300);
  mkdirSync(spoolDirectory, { recursive: true });
  writeFileSync(join(spoolDirectory, `started-${index}`), '');
  parentPort?.on('message', ({ type }: ToShard) => {
    if (type === 'stop') parentPort?.close();
  });
  tell({ type: 'ready' });
}
