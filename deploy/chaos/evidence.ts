import type { ClickHouse } from '#shared/clickhouse/client.ts';
import type { Queryable } from '#shared/postgres/kernel/client.ts';
import type { SeededCharger } from '#shared/testing/seed.ts';
import type { Promises } from './promises.ts';

/** Stores whose records are compared. */
export interface AuditedStores {
  sql: Queryable;
  clickhouse: ClickHouse;
}

/** Events that one listener received. */
export interface Deliveries {
  name: string;
  /** True for a listener that resumes after the last event it received: it receives each one once. */
  isOnce: boolean;
  /** Number of deliveries, by the event's id. */
  counts: Map<number, number>;
}

/** Objects that a roaming partner holds, by their id. */
export interface PartnerObjects {
  sessions: Map<string, Record<string, unknown>>;
  cdrs: Map<string, Record<string, unknown>>;
}

/** Everything that chargers, clients, listeners and the partner of a run know. */
export interface Evidence {
  networkId: number;
  chargers: readonly SeededCharger[];
  promises: Promises;
  /** Number of times that a charger answered a command, by the request id in it. */
  answeredCommands: ReadonlyMap<string, number>;
  listeners: readonly Deliveries[];
  /** Id of the newest event before the listeners began. */
  lastEventBefore: number;
  partner: PartnerObjects;
  /** Times at which a PostgreSQL server was killed, in ms since 1970. */
  databaseCrashes: readonly number[];
}
