import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { AggregatorRegistry } from 'prom-client';
import { openClickHouse } from '#shared/clickhouse/client.ts';
import { keepMessagesFor, keepStatusEventsFor } from '#shared/clickhouse/retention.ts';
import type { Config } from '#shared/config/config.ts';
import { within } from '#shared/domain/kernel/deadline.ts';
import type { Logger } from '#shared/log/log.ts';
import { openPostgres } from '#shared/postgres/kernel/client.ts';
import { importsStripped } from '#shared/stripping/options.ts';
import { Spool } from '#gateway/ingest/spool.ts';
import { orphanedSpools, spoolDirectory } from '#gateway/ingest/spool-directories.ts';
import { SpoolDrain } from '#gateway/ingest/spool-drain.ts';
import { requireRoomToOpen } from '#gateway/ingest/spool-space.ts';
import { storeDeadlineMs } from '#gateway/ingest/store-deadline.ts';
import type { MetricsJson } from './process-messages.ts';
import { Questions } from '#gateway/shard/request-tracker.ts';
import type { FromShard, ShardOptions, ToShard } from './shard-messages.ts';

/** A gateway: its shard threads, in one process or several. */
export interface Gateway {
  /** The metrics of all shards, added up, in Prometheus' text format. */
  metrics(): Promise<string>;
  /** Whether every shard listens. */
  isReady(): boolean;
  /** Sends the chargers elsewhere over some seconds, stores what was taken, ends the threads. */
  stop(): Promise<void>;
}

/** A gateway in this process. */
export interface ProcessGateway extends Gateway {
  /** The metrics of each shard that is there to tell them. */
  collect(): Promise<MetricsJson[]>;
}

export interface GatewayOptions {
  config: Config;
  urls: { databaseUrl: string; clickhouseUrl: string; redisUrl: string | null };
  localBusName: string;
  log: Logger;
  /** Which of how many processes of one gateway this is; by default the only one. */
  place?: { index: number; processes: number } | undefined;
  /** What a shard thread runs, by default `shard.ts`. */
  shardEntry?: URL | undefined;
}

const defaultEntry = new URL('../shard/shard.ts', import.meta.url);
const respawnAfterMs = 1000;
const stopWithinMs = 20_000;
const startWithinMs = 10_000;

/**
 * Starts the shard threads of this process and the drain of their spool; resolves when all of them listen.
 * A shard that dies is started again; its chargers come back to whoever listens.
 * @throws {Error} when a shard cannot start, such as when the port is taken, or when the disk of the spool is full.
 */
export async function startGateway(options: GatewayOptions): Promise<ProcessGateway> {
  const { config, urls, log, place = { index: 0, processes: 1 }, shardEntry = defaultEntry } = options;
  mkdirSync(config.dataDir, { recursive: true });
  requireRoomToOpen(config.dataDir);
  const name = `gw-${randomBytes(4).toString('hex')}`;
  const ownSpool = spoolDirectory(config.dataDir, place.index);
  const authorityDirectory = join(config.dataDir, 'ca');
  const clickhouse = openClickHouse(urls.clickhouseUrl, { name: 'chargeway-spool', connections: 1 });
  const sql = openPostgres(urls.databaseUrl, {
    name: 'chargeway-spool',
    connections: 1,
    timeoutMs: storeDeadlineMs,
  });
  const spools = [new Spool(ownSpool, name, config.spoolFloorBytes)];
  if (place.index === 0) {
    const orphaned = orphanedSpools(config.dataDir, place.processes);
    spools.push(...orphaned.map((directory) => new Spool(directory, name, config.spoolFloorBytes)));
  }
  const drains = spools.map((spool) => new SpoolDrain({ spool, clickhouse, sql, log }));

  const shards = Array.from(
    { length: config.shards },
    (_, index) =>
      new Shard(
        {
          index: place.index * config.shards + index,
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
        },
        shardEntry,
        log,
      ),
  );
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
    return collected.filter((metrics) => metrics !== null);
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

/** One shard thread, kept alive. */
class Shard {
  readonly #options: ShardOptions;
  readonly #entry: URL;
  readonly #log: Logger;
  #worker: Worker | null = null;
  #starting: Promise<void> = Promise.resolve();
  #stopping = false;
  readonly #questions = new Questions<MetricsJson>();
  isListening = false;

  constructor(options: ShardOptions, entry: URL, log: Logger) {
    this.#options = options;
    this.#entry = entry;
    this.#log = log;
  }

  /** Resolves when the thread listens; rejects with its reason when it cannot. */
  start(): Promise<void> {
    this.#starting = new Promise((resolve, reject) => {
      const worker = new Worker(this.#entry, {
        workerData: this.#options,
        execArgv: importsStripped,
      });
      this.#worker = worker;
      worker.on('message', (message: FromShard) => {
        if (message.type === 'metrics') this.#questions.answer(message.id, message.metrics as MetricsJson);
        else if (message.type === 'failed') {
          void worker.terminate();
          reject(new Error(message.message));
        } else {
          this.isListening = true;
          resolve();
        }
      });
      worker.on('error', (error) => {
        this.#log.error({ err: error, shard: this.#options.index }, 'a shard failed');
        reject(error);
      });
      worker.on('exit', () => {
        reject(new Error('the thread ended before it listened'));
        this.#ended();
      });
    });
    return this.#starting;
  }

  /** The thread's metrics; null when it is not there to answer. */
  metrics(): Promise<MetricsJson | null> {
    if (!this.isListening) return Promise.resolve(null);
    return this.#questions.ask((id) => this.#send({ type: 'collect-metrics', id }));
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    // A thread that is ended while it loads a native module takes the process with it: lmdb's throws into a thread that
    // can no longer be thrown into. So it may finish its start first.
    await within(this.#starting, startWithinMs, 'the start of a shard').catch(() => undefined);
    const worker = this.#worker;
    if (worker === null) return;
    const exited = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
    if (this.isListening) this.#send({ type: 'stop' });
    else void worker.terminate();
    const timer = setTimeout(() => {
      this.#log.error({ shard: this.#options.index }, 'a shard did not stop in time');
      void worker.terminate();
    }, stopWithinMs);
    await exited;
    clearTimeout(timer);
  }

  #send(message: ToShard): void {
    this.#worker?.postMessage(message);
  }

  #ended(): void {
    const wasListening = this.isListening;
    this.isListening = false;
    this.#worker = null;
    this.#questions.giveUp();
    if (this.#stopping || !wasListening) return;
    this.#log.error({ shard: this.#options.index }, 'a shard ended; it is started again');
    setTimeout(() => this.#respawn(), respawnAfterMs);
  }

  #respawn(): void {
    if (this.#stopping) return;
    this.start().catch((error: unknown) => {
      this.#log.error(
        { err: error, shard: this.#options.index },
        'a shard could not start; it is tried again',
      );
      setTimeout(() => this.#respawn(), respawnAfterMs);
    });
  }
}
