import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { AggregatorRegistry } from 'prom-client';
import { openClickHouse } from '#shared/clickhouse/client.ts';
import { keepLog } from '#shared/clickhouse/retention.queries.ts';
import type { Config } from '#shared/config/config.ts';
import { orStopped } from '#shared/config/stop.ts';
import type { Logger } from '#shared/log/log.ts';
import { whenAvailable } from '#shared/stores/when-available.ts';
import { importsStripped } from '#shared/stripping/options.ts';
import { requireRoomToOpen } from '#gateway/wal/disk-space.ts';
import type { ShardOptions, StoreUrls } from './shard-options.ts';
import { ShardWorker, type WorkerEvents, type WorkerHandle } from './shard-worker.ts';
import type { FirstToShard, FromShard } from './shard-messages.ts';

/** Running gateway. */
export interface Gateway {
  /** Returns the aggregated metrics of all shards, in Prometheus' text format. */
  metrics(): Promise<string>;
  /** Returns true when every shard listens. */
  isReady(): boolean;
  /** Closes connections over some seconds, stores accepted messages, ends the threads. */
  stop(): Promise<void>;
}

/** Function that launches a shard, which starts when the stores are ready, and ends when they fail. */
export type LaunchShard = (
  options: ShardOptions,
  urls: Promise<StoreUrls>,
  events: WorkerEvents,
) => WorkerHandle;

interface GatewayOptions {
  config: Config;
  /** Stores that are ready, or will be: the threads load their modules meanwhile. */
  urls: StoreUrls | Promise<StoreUrls>;
  localBusName: string;
  log: Logger;
  /** Ends a start in progress, with an `AbortError`. */
  stopping?: AbortSignal | undefined;
  /** Launches a shard, by default in a thread of its own. */
  launchShard?: LaunchShard | undefined;
}

const launchThread = threadsOf(new URL('../shard/thread.ts', import.meta.url));

/**
 * Starts the shard threads; resolves when all of them listen. A shard
 * that exits is started again; its chargers reconnect to any shard.
 * @throws {Error} when a shard cannot start, such as when the port is in use, when the disk of `DATA_DIR` is full, or when the stores
 * fail.
 */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const { config, log, launchShard = launchThread } = options;
  mkdirSync(config.dataDir, { recursive: true });
  requireRoomToOpen(config.dataDir);
  const urls = storeUrls(options.urls);
  const name = `gw-${randomBytes(4).toString('hex')}`;

  const shardOptions = (index: number): ShardOptions => ({
    index,
    shards: config.shards,
    node: `${name}-${index}`,
    host: config.host,
    port: config.ocppPort,
    localBusName: options.localBusName,
    dataDir: config.dataDir,
    walFloorBytes: config.walFloorBytes,
    callsPerSecond: config.chargerCallsPerSecond,
    authorityDirectory: config.authorityDir,
    logLevel: config.logLevel,
    trust: { trustedProxies: config.trustedProxies, proxySecret: config.proxySecret },
    tracing: config.tracing,
  });
  const shards = Array.from(
    { length: config.shards },
    (_, shard) =>
      new ShardWorker({
        shard,
        launch: (events) => launchShard(shardOptions(shard), urls, events),
        log,
      }),
  );
  try {
    // Shards end when the stores fail: the error is that of the stores.
    await orStopped(Promise.all([urls, ...shards.map((shard) => shard.start())]), options.stopping);
  } catch (error) {
    await Promise.all(shards.map((shard) => shard.stop()));
    throw error;
  }
  const ending = new AbortController();
  const { clickhouseUrl } = await urls;
  const limiting = limitLogs(config, clickhouseUrl, log, ending.signal);
  return {
    async metrics() {
      const collected = await Promise.all(shards.map((shard) => shard.metrics()));
      return AggregatorRegistry.aggregate(collected.filter((metrics) => metrics !== null)).metrics();
    },
    isReady: () => shards.every((shard) => shard.isListening),
    async stop() {
      ending.abort();
      await Promise.all([limiting, ...shards.map((shard) => shard.stop())]);
    },
  };
}

/** Returns the addresses by themselves: a thread receives a copy. */
async function storeUrls(urls: GatewayOptions['urls']): Promise<StoreUrls> {
  const { databaseUrl, clickhouseUrl, redisUrl } = await urls;
  return { databaseUrl, clickhouseUrl, redisUrl };
}

/** Returns true for any error: a ClickHouse that is back may still have to be migrated by another process. */
const isAny = (): boolean => true;

/** Sets how long the logs in ClickHouse are kept, as soon as it has them; until then they are kept as long as before. */
async function limitLogs(
  { retention }: Config,
  clickhouseUrl: string,
  log: Logger,
  signal: AbortSignal,
): Promise<void> {
  const clickhouse = openClickHouse(clickhouseUrl, { name: 'chargeway-retention', connections: 1 });
  const store = { name: 'ClickHouse', isDown: isAny, log, longestPauseMs: 30_000, signal } as const;
  try {
    const limiting = Promise.all([
      whenAvailable({ ...store, meanwhile: 'LOG_DAYS is applied when it is back' }, () =>
        keepLog(clickhouse, 'ocpp_messages', retention.logDays),
      ),
      whenAvailable({ ...store, meanwhile: 'RECORD_DAYS is applied when it is back' }, () =>
        keepLog(clickhouse, 'status_events', retention.recordDays),
      ),
    ]);
    // A ClickHouse that does not answer would delay the end.
    await orStopped(limiting, signal);
  } catch {
    // The gateway stops.
  } finally {
    await clickhouse.close();
  }
}

/** Returns the function that launches a shard in a thread of its own, which runs the module `entry`. */
export function threadsOf(entry: URL): LaunchShard {
  return (options, urls, events) => {
    const worker = new Worker(entry, { workerData: options, execArgv: importsStripped });
    worker.on('message', (message: FromShard) => events.message(message));
    worker.on('error', (error) => events.failed(error));
    const exited = new Promise<void>((resolve) => {
      worker.on('exit', (code) => {
        events.exited(code);
        resolve();
      });
    });
    const begin = (message: FirstToShard): void => worker.postMessage(message);
    void urls.then(
      (ready) => begin({ type: 'start', urls: ready }),
      () => begin({ type: 'stop' }),
    );
    return {
      send: (message) => worker.postMessage(message),
      kill: () => void worker.terminate(),
      exited,
    };
  };
}
