import type { LogLevel } from '#shared/config/config.ts';
import type { TracingSettings } from '#shared/tracing/tracing.ts';
import type { ProxyTrust } from '#gateway/socket/trusted-proxy.ts';

/** Addresses of the stores. */
export interface StoreUrls {
  databaseUrl: string;
  clickhouseUrl: string;
  redisUrl: string | null;
}

/** Options of a shard thread, its `workerData`. */
export interface ShardOptions {
  index: number;
  /** Number of shards of the gateway. */
  shards: number;
  /** Name of the shard on the bus, unique over all gateways. */
  node: string;
  host: string;
  port: number;
  /** Name of the in-process bus, used without Redis. */
  localBusName: string;
  /** Directory of this gateway's data; the write-ahead log of the shard is below it. */
  dataDir: string;
  /** Free bytes on its disk below which readings are refused. */
  walFloorBytes: number;
  /** Calls of a charger that are served in a second; faster ones wait. */
  callsPerSecond: number;
  /** Directory of the key and root certificate of the local certificate authority. */
  authorityDirectory: string;
  logLevel: LogLevel;
  trust: ProxyTrust;
  /** Null: tracing is off. */
  tracing: TracingSettings | null;
}
