import { execFile } from 'node:child_process';
import { readlinkSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startEmbeddedClickHouse } from '#shared/embedded/clickhouse.ts';
import { startEmbeddedPostgres } from '#shared/embedded/postgres.ts';
import { startOwnRedis, type TestRedis } from '#shared/testing/redis.ts';
import { ClickHouseHttp } from './clickhouse-http.ts';
import { processUsage, treeUsage, type Usage } from './process-usage.ts';
import type { Versions } from './system.ts';

/** Real stores of one system, each a process alongside the product. */
export interface Stores {
  databaseUrl: string;
  clickhouseUrl: string;
  /** Null for one process, which has a bus in the process. */
  redisUrl: string | null;
  usage(): { ClickHouse: Usage; PostgreSQL: Usage; Redis?: Usage };
  versions(): Promise<Versions>;
  /** Returns bytes of PostgreSQL's tables and indexes on disk. */
  databaseBytes(): Promise<number>;
  /** Freezes a server (SIGSTOP) until the returned function is called. */
  freeze(store: 'ClickHouse' | 'Redis'): () => void;
  /** Kills a server (SIGKILL). A new one is started on the same address and data; Redis starts empty. */
  kill(store: 'PostgreSQL' | 'ClickHouse' | 'Redis'): void;
  stop(): Promise<void>;
}

/** Starts PostgreSQL, ClickHouse and, where wanted, Redis with their data in a directory. */
export async function startStores(directory: string, withRedis: boolean): Promise<Stores> {
  const [postgres, clickhouse, firstRedis] = await Promise.all([
    startEmbeddedPostgres({ dataDir: join(directory, 'postgres') }),
    startEmbeddedClickHouse({ dataDir: join(directory, 'clickhouse') }),
    withRedis ? startOwnRedis() : null,
  ]);
  let redis = firstRedis;
  /** Start of a Redis that replaces a killed one. */
  let replacing: Promise<void> = Promise.resolve();
  const replaceRedis = async (killed: TestRedis): Promise<void> => {
    await killed.stop();
    redis = await startOwnRedis({ port: Number(new URL(killed.url).port) });
  };
  const pidOf = (store: 'PostgreSQL' | 'ClickHouse' | 'Redis'): number => {
    const pid = { PostgreSQL: postgres.pid, ClickHouse: clickhouse.pid, Redis: redis?.pid }[store];
    if (pid === null || pid === undefined) throw new Error(`${store} is not a server of this run`);
    return pid;
  };
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
    freeze(store) {
      const pid = pidOf(store);
      process.kill(pid, 'SIGSTOP');
      return () => process.kill(pid, 'SIGCONT');
    },
    kill(store) {
      if (store === 'Redis' && redis !== null) replacing = replaceRedis(redis);
      else process.kill(pidOf(store), 'SIGKILL');
    },
    async stop() {
      await replacing;
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
