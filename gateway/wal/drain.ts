import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ClickHouse } from '#shared/clickhouse/client.ts';
import type { Logger } from '#shared/log/log.ts';
import type { Sql } from '#shared/postgres/kernel/client.ts';
import { DirectoryLock } from './directory-lock.ts';
import { listSegments, listSetAside, restoreRefused } from './segment-files.ts';
import { SegmentLoader } from './segment-loader.ts';

interface DrainOptions {
  /** Directory of the data of a gateway that does not run. */
  dataDir: string;
  deadlineMs: number;
  clickhouse: ClickHouse;
  sql: Sql;
  log: Logger;
}

/** Result of a drain. */
interface Drained {
  segments: number;
  bytes: number;
  /** Paths of segments that could not be loaded as a whole, now or before: they may hold the only copy of readings. */
  setAside: string[];
}

/**
 * Loads all that the write-ahead logs of a stopped gateway hold, so that its disk can be removed.
 * @throws {Error} when a gateway uses the directory, or a store is unavailable: the rest stays, and another run continues.
 */
export async function drainWriteAheadLogs(options: DrainOptions): Promise<Drained> {
  const { dataDir, ...loading } = options;
  const root = join(dataDir, 'wal');
  const drained: Drained = { segments: 0, bytes: 0, setAside: [] };
  for (const shard of await shardsOf(root)) {
    const directory = join(root, shard);
    const lock = await DirectoryLock.take(directory);
    if (lock === null) throw new Error(`a gateway writes to ${directory}: stop it first`);
    try {
      await restoreRefused(directory);
      const segments = await listSegments(directory);
      drained.segments += segments.length;
      await loaderOf(segments, loading, drained).loadAll();
      drained.setAside.push(...(await listSetAside(directory)));
    } finally {
      await lock.release();
    }
  }
  return drained;
}

/** Returns the directories of shards; none when the gateway never wrote. */
async function shardsOf(root: string): Promise<string[]> {
  try {
    return (await readdir(root)).toSorted((one, other) => Number(one) - Number(other));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/** Returns a loader of complete segments. */
function loaderOf(
  recovered: string[],
  loading: Omit<DrainOptions, 'dataDir'>,
  drained: Drained,
): SegmentLoader {
  return new SegmentLoader({
    ...loading,
    wal: { oldest: async () => null, dropOldest: () => undefined, completeSegments: 0 },
    recovered,
    loaded(bytes) {
      drained.bytes += bytes;
    },
    // The files that are set aside tell.
    faulty: () => undefined,
    failed: () => undefined,
    // The operator sees what is set aside, and can run it again.
    unknownFaultMs: 0,
  });
}
