import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import type { Versions } from '#bench/system/system.ts';
import { startRedisSentinels } from '#shared/bus/test/support/redis-sentinel.ts';
import type { ClickHouse } from '#shared/clickhouse/client.ts';
import { startEmbeddedPostgres } from '#shared/embedded/postgres.ts';
import type { Sql } from '#shared/postgres/kernel/client.ts';
import { startOwnRedis } from '#shared/testing/redis.ts';
import { startEmbeddedClickHouse } from '#shared/embedded/clickhouse.ts';
import { promote, startPostgresPair } from '#shared/testing/postgres-pair.ts';
import { programPath } from '#shared/testing/programs.ts';
import type { StoreServers } from './faults.ts';
import type { Scope } from './scope.ts';
import type { StoreUrls } from './store-links.ts';

/** Stores of a run: a PostgreSQL primary with a synchronous standby, ClickHouse, and Redis under three Sentinels. */
interface RunStores {
  urls: StoreUrls;
  servers: StoreServers;
}

/** Starts the stores, with the data of ClickHouse in `directory`. They end with the scope. */
export async function startRunStores(scope: Scope, directory: string): Promise<RunStores> {
  const pair = await startPostgresPair(scope, { synchronous: true });
  const clickhouse = await startEmbeddedClickHouse({ dataDir: join(directory, 'clickhouse') });
  scope.teardown(() => clickhouse.stop());
  const redis = await startRedisSentinels();
  scope.teardown(() => redis.stop());
  let primary = pair.primary;
  /** Restart or replacement that was begun last. */
  let changing: Promise<unknown> = Promise.resolve();
  // Registered last, it ends first: no server is started after the others ended.
  scope.teardown(() => changing);
  const change = (step: () => Promise<unknown>): void => {
    changing = changing.then(step);
  };
  const servers: StoreServers = {
    kill(store) {
      if (store === 'ClickHouse') process.kill(pidOf(clickhouse), 'SIGKILL');
      if (store === 'Redis') change(() => redis.replaceMaster());
      if (store === 'PostgreSQL') {
        change(async () => {
          await primary.kill();
          await primary.restart();
        });
      }
    },
    freeze(store) {
      const pid = store === 'Redis' ? redis.currentMaster().then((master) => master.pid) : pidOf(clickhouse);
      const signal = (name: 'SIGSTOP' | 'SIGCONT'): void => {
        change(async () => process.kill(await pid, name));
      };
      signal('SIGSTOP');
      return () => signal('SIGCONT');
    },
    failOver() {
      change(async () => {
        await pair.primary.kill();
        await promote(pair.standby);
        primary = pair.standby;
      });
    },
  };
  return {
    urls: {
      // The standby comes first: connections have to look for the server that accepts writes.
      databaseUrl: pair.primary.url.replace(pair.primary.host, `${pair.standby.host},${pair.primary.host}`),
      clickhouseUrl: databaseOf(clickhouse),
      redisUrl: redis.url,
      redisServerPorts: redis.servers().map(({ url }) => Number(new URL(url).port)),
    },
    servers,
  };
}

/** Starts stores without a replica: those that each version of the product can use. They end with the scope. */
export async function startPlainStores(scope: Scope, directory: string): Promise<StoreUrls> {
  const postgres = await startEmbeddedPostgres({ dataDir: join(directory, 'postgres') });
  scope.teardown(() => postgres.stop());
  const clickhouse = await startEmbeddedClickHouse({ dataDir: join(directory, 'clickhouse') });
  scope.teardown(() => clickhouse.stop());
  const redis = await startOwnRedis();
  scope.teardown(() => redis.stop());
  return {
    databaseUrl: postgres.url,
    clickhouseUrl: databaseOf(clickhouse),
    redisUrl: redis.url,
  };
}

/** Returns the versions of the stores of a run. */
export async function storeVersions(sql: Sql, clickhouse: ClickHouse): Promise<Versions> {
  const [row] = await sql<{ version: string }[]>`select current_setting('server_version') as version`;
  const result = await clickhouse.query({ query: 'select version() as version', format: 'JSONEachRow' });
  const [engine] = await result.json<{ version: string }>();
  const redisVersion = execFileSync(programPath('redis-server'), ['--version'], { encoding: 'utf8' });
  return {
    PostgreSQL: row?.version ?? 'unknown',
    ClickHouse: engine?.version ?? 'unknown',
    Redis: /\d+\.[\d.]+/.exec(redisVersion)?.[0] ?? 'unknown',
  };
}

/** Address of the database of the product. */
function databaseOf({ url }: { url: string }): string {
  const clickhouseUrl = new URL(url);
  clickhouseUrl.pathname = '/chargeway';
  return clickhouseUrl.href;
}

function pidOf({ pid }: { pid: number | null | undefined }): number {
  if (pid === null || pid === undefined) throw new Error('ClickHouse does not run');
  return pid;
}
