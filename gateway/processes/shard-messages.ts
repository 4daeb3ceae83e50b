import type { LogLevel } from '#shared/config/config.ts';
import type { ProxyTrust } from '#gateway/socket/trusted-proxy.ts';

/** What a shard thread is started with. */
export interface ShardOptions {
  index: number;
  /** The shard's name on the bus, unique over all processes. */
  node: string;
  host: string;
  port: number;
  databaseUrl: string;
  clickhouseUrl: string;
  redisUrl: string | null;
  /** The bus of this process's threads, where no Redis is. */
  localBusName: string;
  spoolDirectory: string;
  /** Free bytes on its disk below which nothing is spooled. */
  spoolFloorBytes: number;
  /** Where the local certificate authority keeps its key and root. */
  authorityDirectory: string;
  logLevel: LogLevel;
  trust: ProxyTrust;
}

/** Supervisor to shard. */
export type ToShard = { type: 'stop' } | { type: 'collect-metrics'; id: number };

/** Shard to supervisor. */
export type FromShard =
  | { type: 'ready' }
  | { type: 'failed'; message: string }
  | { type: 'metrics'; id: number; metrics: unknown };
