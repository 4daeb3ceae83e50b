import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Test } from 'tap';
import { listSegments } from '#gateway/wal/segment-files.ts';
import { WriteAheadLog, type WriteAheadLogOptions } from '#gateway/wal/write-ahead-log.ts';
import { addMeterRow, meterTable } from '#shared/clickhouse/meter-samples.ts';
import type { MeterRow } from '#shared/testing/meter-rows.ts';

/** Creates a directory that the test removes. */
export function walDirectory(t: Pick<Test, 'teardown'>): string {
  const path = mkdtempSync(join(tmpdir(), 'chargeway-test-wal-'));
  t.teardown(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** Opens a log of readings with enough space. */
export function openWal(directory: string, options: Partial<WriteAheadLogOptions> = {}): WriteAheadLog {
  return new WriteAheadLog({
    directory,
    table: meterTable,
    space: { take: () => Promise.resolve() },
    everyMs: 0,
    deadlineMs: 20_000,
    answerWithinMs: 30_000,
    written: () => undefined,
    failed: () => undefined,
    ...options,
  });
}

/** Adds readings to the open batch; resolves when they are durable. */
export function append(wal: WriteAheadLog, rows: readonly MeterRow[]): Promise<void> {
  for (const [origin, reading] of rows) addMeterRow(wal.rows, origin, reading);
  return wal.commit().durable();
}

/** Leaves a segment for each list of readings, as a gateway does that ended; returns all segments there. */
export async function leaveSegments(
  directory: string,
  batches: readonly (readonly MeterRow[])[],
): Promise<string[]> {
  mkdirSync(directory, { recursive: true });
  for (const rows of batches) {
    const wal = openWal(directory);
    await append(wal, rows);
    await wal.close();
  }
  return listSegments(directory);
}
