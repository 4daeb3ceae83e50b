import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { segmentSuffix } from '#gateway/wal/segment-files.ts';
import { until } from '#shared/testing/until.ts';

/** Resolves when no segment is left of the gateway with this directory: all its readings are in ClickHouse. */
export async function walEmpty(dataDir: string): Promise<void> {
  await until('an empty write-ahead log', async () => {
    const names = readdirSync(join(dataDir, 'wal'), { recursive: true });
    return !names.some((name) => String(name).endsWith(segmentSuffix));
  });
}
