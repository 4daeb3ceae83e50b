import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { AggregatorRegistry } from 'prom-client';
import { openClickHouse } from '#shared/clickhouse/client.ts';
import { keepMessagesFor, keepStatusEventsFor } from '#shared/clickhouse/retention.ts';
import type { Config } from '#shared/config/config.ts';
import type { Logger } from '#shared/log/log.ts';
import { openPostgres } from '#shared/postgres/kernel/client.ts';
import { importsStripped } from '#shared/stripping/options.ts';
import { Spool } from '#gateway/ingest/spool.ts';
import { orphanedSpools, spoolDirectory } from '#gateway/ingest/spool-directories.ts';
import { SpoolDrain } from '#gateway/ingest/spool-drain.ts';
import { requireRoomToOpen } from '#gateway/ingest/spool-space.ts';
import { storeDeadlineMs } from '#gateway/ingest/store-deadline.ts';
import type { ShardOptions } from './shard-options.ts';
import { SupervisedWorker, type WorkerEvents, type WorkerHandle } from './supervised-worker.ts';
import type { FromWorker, MetricsJson } from './worker-messages.ts';

/** Gateway: its shard threads, in one process or several. */
export interface Gateway {
  /** Returns the aggregated metrics of all shards, in Prometheus' text format. */
  metrics(): Promise<string>;
  /** Returns true when every shard listens. */
  isReady(): boolean;
  /** Closes connections over some seconds, stores accepted messages, ends the threads. */
  stop(): Promise<void>;
}

/** Gateway in this process. */
export interface ProcessGateway extends Gateway {
  /** Returns the metrics of each shard that replies. */
  collect(): Promise<MetricsJson[]>;
}

export interface GatewayOptions {
  config: Config;
  urls: { databaseUrl: string; clickhouseUrl: string; redisUrl: string | null };
  localBusName: string;
  log: Logger;
  /** Index of this process and number of processes of the gateway; by default the only one. */
  instance?: { index: number; processes: number } | undefined;
  /** Module of a shard thread, by default `shard.ts`. */
  shardEntry?: URL | undefined;
}

const defaultEntry = new URL('../shard/shard.ts', import.meta.url);
const stopWithinMs = 20_000;
const metricsWithinMs = 5000;

/**
 * Starts the shard threads of this process and the drain of their spool; resolves when all of them listen. A shard
 * that exits is started again; its chargers reconnect to any shard.
 * @throws {Error} when a shard cannot start, such as when the port is in use, or when the disk of the spool is full.
 */
export async function startGateway(options: GatewayOptions): Promise<ProcessGateway> {
  const { config, urls, log, instance = { index: 0, processes: 1 }, shardEntry = defaultEntry } = options;
  mkdirSync(config.dataDir, { recursive: true });
  requireRoomToOpen(config.dataDir);
  const name = `gw-${randomBytes(4).toString('hex')}`;
  const ownSpool = spoolDirectory(config.dataDir, instance.index);
  const authorityDirectory = join(config.dataDir, 'ca');
  const clickhouse = openClickHouse(urls.clickhouseUrl, { name: 'chargeway-spool', connections: 1 });
  const sql = openPostgres(urls.databaseUrl, {
    name: 'chargeway-spool',
    connections: 1,
    timeoutMs: storeDeadlineMs,
  });
  const spools = [new Spool(ownSpool, name, config.spoolFloorBytes)];
  if (instance.index === 0) {
    const orphaned = orphanedSpools(config.dataDir, instance.processes);
    spools.push(...orphaned.map((directory) => new Spool(directory, name, config.spoolFloorBytes)));
  }
  const drains = spools.map((spool) => new SpoolDrain({ spool, clickhouse, sql, log }));

  const shardOptions = (index: number): ShardOptions => ({
    index: instance.index * config.shards + index,
    node: `${name}-${index}`,
    host: config.host,
    port: config.ocppPort,
    databaseUrl: urls.databaseUrl,
    clickhouseUrl: urls.clickhouseUrl,
    redisUrl: urls.redisUrl,
    localBusName: options.localBusName,
    spoolDirectory: ownSpool,
    spoolFloorBytes: config.spoolFloorBytes,
    authorityDirectory,
    logLevel: config.logLevel,
    trust: { trustedProxies: config.trustedProxies, proxySecret: config.proxySecret },
  });
  const shards = Array.from({ length: config.shards }, (_, index) => {
    const ownOptions = shardOptions(index);
    return new SupervisedWorker({
      kind: 'shard',
      fields: { shard: ownOptions.index },
      launch: (events) => launchShard(ownOptions, shardEntry, events),
      stopWithinMs,
      metricsWithinMs,
      log,
    });
  });
  const closeStores = async (): Promise<void> => {
    await Promise.all(drains.map((drain) => drain.stop()));
    await clickhouse.close();
    await sql.end({ timeout: 5 });
    await Promise.all(spools.map((spool) => spool.close()));
  };
  try {
    await Promise.all(shards.map((shard) => shard.start()));
  } catch (error) {
    await Promise.all(shards.map((shard) => shard.stop()));
    await closeStores();
    throw error;
  }
  for (const drain of drains) drain.start();
  await keepMessagesFor(clickhouse, config.messageLogDays).catch((error: unknown) => {
    log.warn({ err: error }, 'MESSAGE_LOG_DAYS could not be set; the log is kept as long as before');
  });
  await keepStatusEventsFor(clickhouse, config.statusEventDays).catch((error: unknown) => {
    log.warn({ err: error }, 'STATUS_EVENT_DAYS could not be set; the history is kept as long as before');
  });
  const collect = async (): Promise<MetricsJson[]> => {
    const collected = await Promise.all(shards.map((shard) => shard.metrics()));
    return collected.flat();
  };
  return {
    collect,
    metrics: async () => AggregatorRegistry.aggregate(await collect()).metrics(),
    isReady: () => shards.every((shard) => shard.isListening),
    async stop() {
      await Promise.all(shards.map((shard) => shard.stop()));
      await closeStores();
    },
  };
}

function launchShard(options: ShardOptions, entry: URL, events: WorkerEvents): WorkerHandle {
  const worker = new Worker(entry, { workerData: options, execArgv: importsStripped });
  worker.on('message', (message: FromWorker) => events.message(message));
  worker.on('error', (error) => events.failed(error));
  const exited = new Promise<void>((resolve) => {
    worker.on('exit', (code) => {
      events.exited(code);
      resolve();
    });
  });
  return {
    send: (message) => worker.postMessage(message),
    kill: () => void worker.terminate(),
    exited,
  };
}
