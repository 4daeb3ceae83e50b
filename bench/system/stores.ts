import { execFile } from 'node:child_process';
import { readlinkSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startEmbeddedClickHouse } from '#shared/embedded/clickhouse.ts';
import { startEmbeddedPostgres } from '#shared/embedded/postgres.ts';
import { startOwnRedis } from '#shared/testing/redis.ts';
import { ClickHouseHttp } from './clickhouse-http.ts';
import { processUsage, treeUsage, type Usage } from './process-usage.ts';
import type { Versions } from './system.ts';

/** Real stores of one system, each a process beside the product. */
export interface Stores {
  databaseUrl: string;
  clickhouseUrl: string;
  /** Null for one process, which has a bus in the process. */
  redisUrl: string | null;
  usage(): { ClickHouse: Usage; PostgreSQL: Usage; Redis?: Usage };
  versions(): Promise<Versions>;
  /** Returns bytes of PostgreSQL's tables and indexes on disk. */
  databaseBytes(): Promise<number>;
  /** Freezes ClickHouse (SIGSTOP) until the returned function is called. */
  freezeClickHouse(): () => void;
  stop(): Promise<void>;
}

/** Starts PostgreSQL, ClickHouse and, where wanted, Redis with their data in a directory. */
export async function startStores(directory: string, withRedis: boolean): Promise<Stores> {
  const [postgres, clickhouse, redis] = await Promise.all([
    startEmbeddedPostgres({ dataDir: join(directory, 'postgres') }),
    startEmbeddedClickHouse({ dataDir: join(directory, 'clickhouse') }),
    withRedis ? startOwnRedis() : null,
  ]);
  const clickhouseUrl = new URL(clickhouse.url);
  clickhouseUrl.pathname = '/chargeway';
  return {
    databaseUrl: postgres.url,
    clickhouseUrl: clickhouseUrl.href,
    redisUrl: redis?.url ?? null,
    usage: () => ({
      ClickHouse: processUsage(clickhouse.pid),
      PostgreSQL: treeUsage(postgres.pid),
      ...(redis !== null && { Redis: processUsage(redis.pid) }),
    }),
    versions: async () => ({
      PostgreSQL: (await versionOf(postgres.pid)).replace(/^postgres \(PostgreSQL\) /, ''),
      ClickHouse: await new ClickHouseHttp(clickhouse.url).value('select version()'),
      ...(redis !== null && { Redis: /\d+\.[\d.]+/.exec(await versionOf(redis.pid))?.[0] ?? 'unknown' }),
    }),
    databaseBytes: () => directoryBytes(join(directory, 'postgres', 'base')),
    freezeClickHouse() {
      const { pid } = clickhouse;
      process.kill(pid, 'SIGSTOP');
      return () => process.kill(pid, 'SIGCONT');
    },
    async stop() {
      await Promise.all([postgres.stop(), clickhouse.stop(), redis?.stop()]);
    },
  };
}

/** Returns the output of `--version` of the program that a process runs. */
async function versionOf(pid: number): Promise<string> {
  const { stdout } = await promisify(execFile)(readlinkSync(`/proc/${pid}/exe`), ['--version']);
  return stdout.trim();
}

async function directoryBytes(directory: string): Promise<number> {
  let total = 0;
  for (const entry of await readdir(directory, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    // A temporary file may be gone.
    total += await stat(join(entry.parentPath, entry.name)).then(
      ({ size }) => size,
      () => 0,
    );
  }
  return total;
}
