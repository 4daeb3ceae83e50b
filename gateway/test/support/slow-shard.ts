import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import type { ShardOptions } from '#gateway/supervisor/shard-options.ts';
import type { FromShard, ToShard } from '#gateway/supervisor/shard-messages.ts';
import { until } from '#shared/testing/until.ts';

/** A shard for tests: the first cannot start. The others start when the gateway knows that, and leave a file then. */
const { index, dataDir } = workerData as ShardOptions;
const notify = (message: FromShard): void => parentPort?.postMessage(message);
if (index === 0) {
  notify({ type: 'failed', message: 'it cannot' });
} else {
  await until('the end of the failure of the first', () => existsSync(join(dataDir, 'failed')));
  writeFileSync(join(dataDir, `started-${index}`), '');
  parentPort?.on('message', ({ type }: ToShard) => {
    if (type === 'stop') parentPort?.close();
  });
  notify({ type: 'ready' });
}
