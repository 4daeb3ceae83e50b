import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { ClickHouse } from '#shared/clickhouse/client.ts';
import type { ClickHouseFault } from '#shared/clickhouse/faults.queries.ts';
import { meterTable } from '#shared/clickhouse/meter-samples.ts';
import type { Clock } from '#shared/domain/kernel/system-clock.ts';
import type { Logger } from '#shared/log/log.ts';
import { OutageLog } from '#shared/log/outage-log.ts';
import type { Sql } from '#shared/postgres/kernel/client.ts';
import { DirectoryLock } from './directory-lock.ts';
import { DiskSpace } from './disk-space.ts';
import { createDirectory, listSegments } from './segment-files.ts';
import { type SegmentFault, SegmentLoader, unknownFaultMs } from './segment-loader.ts';
import { WriteAheadLog } from './write-ahead-log.ts';

/**
 * Minimum time in ms between two flushes: at most forty a second and shard. A flush costs about 0.4 ms of CPU, as much as
 * ten readings. A single reading is flushed at once.
 */
const flushEveryMs = 25;

/** Time in ms to wait for a process that still uses the directory: it stores what it accepted and ends. */
const lockWithinMs = 30_000;

/** Pause in ms between two attempts to lock a directory, plus a random part. */
const lockEveryMs = 50;

interface ReadingLogOptions {
  /** Directory of the data of this gateway. */
  dataDir: string;
  /** Index of the shard. */
  shard: number;
  /** Number of shards of the gateway. */
  shards: number;
  floorBytes: number;
  deadlineMs: number;
  /** Time in ms after which the senders of readings are refused. */
  answerWithinMs: number;
  clickhouse: ClickHouse;
  sql: Sql;
  /** Observe rows that are durable here, and bytes that are in ClickHouse. */
  written(rows: number): void;
  loaded(bytes: number): void;
  /** Observes each segment that could not be loaded as a whole. */
  faulty(reason: SegmentFault): void;
  /** Observes each failed load, after which the segments wait. */
  failed(fault: ClickHouseFault): void;
  log: Logger;
  clock: Clock;
}

/** Write-ahead log of the readings of a shard, with its loader. */
interface ReadingLog {
  wal: WriteAheadLog;
  /** Number of segments that wait for a store longer than usual. */
  waitingSegments(): number;
  /** Returns the seconds since which readings wait for a store; 0: none waits longer than usual. */
  lagSeconds(): number;
  /** Returns the bytes that can be written before readings are refused. */
  room(): Promise<number>;
  /** Writes what waits and loads it if the stores are available; the next run continues with the rest. */
  close(): Promise<void>;
}

/**
 * Opens the log of a shard and continues to load what an earlier run left. The first shard also loads what shards
 * beyond the current number left.
 * @throws {Error} when another process uses the directory.
 */
export async function openReadingLog(options: ReadingLogOptions): Promise<ReadingLog> {
  const { dataDir, shard, shards, floorBytes, deadlineMs, answerWithinMs, clickhouse, sql, log, clock } =
    options;
  const directory = walDirectory(dataDir, shard);
  await createDirectory(directory);
  const locks = [await lockWithin(directory)];
  const recovered = await listSegments(directory);
  for (const orphaned of shard === 0 ? await orphanedDirectories(dataDir, shards) : []) {
    const lock = await DirectoryLock.take(orphaned);
    if (lock === null) continue;
    locks.push(lock);
    recovered.unshift(...(await listSegments(orphaned)));
  }
  const space = new DiskSpace(directory, floorBytes);
  const outages = new OutageLog(log, {
    failed: 'the write-ahead log cannot be written: meter readings are refused, chargers repeat them',
    recovered: 'the write-ahead log is written again',
  });
  const wal = new WriteAheadLog({
    directory,
    table: meterTable,
    space,
    everyMs: flushEveryMs,
    deadlineMs,
    answerWithinMs,
    written(rows) {
      outages.recovered();
      options.written(rows);
      loader.wake();
    },
    failed(error) {
      outages.failed(error);
      // The segment before the failure is complete.
      loader.wake();
    },
    clock,
  });
  const loader = new SegmentLoader({
    wal,
    recovered,
    clickhouse,
    sql,
    deadlineMs,
    loaded: (bytes) => options.loaded(bytes),
    faulty: (reason) => options.faulty(reason),
    failed: (fault) => options.failed(fault),
    unknownFaultMs,
    log,
    clock,
  });
  loader.wake();
  return {
    wal,
    waitingSegments: () => loader.waiting,
    lagSeconds: () => loader.lagSeconds,
    room: () => space.room(),
    async close() {
      await wal.close();
      await loader.close();
      await Promise.all(locks.map((lock) => lock.release()));
    },
  };
}

/** Returns the directory of a shard's segments. */
export function walDirectory(dataDir: string, shard: number): string {
  return join(dataDir, 'wal', String(shard));
}

/** Returns the directories of shards beyond the current number. */
async function orphanedDirectories(dataDir: string, shards: number): Promise<string[]> {
  const names = await readdir(join(dataDir, 'wal'));
  return names.filter((name) => Number(name) >= shards).map((name) => join(dataDir, 'wal', name));
}

async function lockWithin(directory: string): Promise<DirectoryLock> {
  for (const until = performance.now() + lockWithinMs; performance.now() < until;) {
    const lock = await DirectoryLock.take(directory);
    if (lock !== null) return lock;
    // Two processes that started at once, and refused each other, must not do so again.
    await wait(lockEveryMs * (1 + 2 * Math.random()));
  }
  throw new Error(`another process writes to ${directory}: every gateway needs a DATA_DIR of its own`);
}
