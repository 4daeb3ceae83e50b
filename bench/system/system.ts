import type { RegisteredCharger } from '#bench/load/chargers.ts';
import type { ClickHouseHttp } from './clickhouse-http.ts';
import type { Usage } from './process-usage.ts';
import type { Stores } from './stores.ts';

/** `npm start` in one process, `npm run gateway` alongside `npm run api`, or a system that runs already. */
export type Topology = 'all-in-one' | 'split' | 'target';

/** Processes of a system, by role. */
export type Role = 'product' | 'gateway' | 'api' | 'ClickHouse' | 'PostgreSQL' | 'Redis';

export interface SystemOptions {
  /** Gateway processes of the split topology, each on a port and a directory of its own; 1. */
  gateways?: number;
  /** Additional environment variables of the product's processes. */
  env?: Record<string, string>;
}

/** Versions of the programs that a run measured. */
export type Versions = Record<string, string>;

/** System under load, used through its public interfaces. */
export interface System {
  readonly topology: Topology;
  readonly apiUrl: string;
  /** WebSocket addresses of the gateway processes, without the charger's identity. */
  readonly ocppUrls: readonly string[];
  readonly operatorKey: string;
  readonly emspKey: string;
  /** Network of new chargers; null where the operator key has one network only. */
  readonly networkId: string | null;
  /** Tokens that may charge. */
  readonly tokens: readonly string[];
  /** Its ClickHouse, null when it is not accessible. */
  readonly clickhouse: ClickHouseHttp | null;
  readonly versions: Versions;
  /** Usage of its processes so far, by role; empty for a system of other machines. */
  usage(): Partial<Record<Role, Usage>>;
}

/** Size of a network's history. */
export interface HistorySize {
  drivers: number;
  sessions: number;
  /** Readings of each session. */
  readings: number;
  /** Number of newest sessions that have `manyReadings` instead. */
  meteredSessions: number;
  manyReadings: number;
}

/** System that the bench started on stores and a directory of its own. */
export interface OwnSystem extends System {
  readonly clickhouse: ClickHouseHttp;
  readonly stores: Stores;
  /** Returns the metrics of the gateway, in Prometheus' text format. */
  metrics(): Promise<string>;
  /** Starts one more gateway process of the split topology and returns its WebSocket address. */
  addGateway(): Promise<string>;
  /** Registers chargers of its network in one statement, in the order of their numbers; for fleets of thousands. Once. */
  addChargers(count: number): Promise<RegisteredCharger[]>;
  /** Writes numbered events of chargers with this prefix at a rate; returns the time that it took in ms. */
  writeEvents(load: { rate: number; seconds: number; prefix: string }): Promise<number>;
  /** Fills its network with a year of sessions: copies of its completed ones. */
  fillHistory(size: HistorySize): Promise<void>;
  /** Kills the processes of the product (SIGKILL) and starts them on the same data; resolves when they are ready. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** Role of the process that serves chargers. */
export function servingRole(topology: Topology): Role {
  return topology === 'split' ? 'gateway' : 'product';
}
