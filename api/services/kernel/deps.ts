import type { Bus } from '#shared/bus/contract.ts';
import type { ClickHouse } from '#shared/clickhouse/client.ts';
import type { Retention } from '#shared/domain/kernel/retention.ts';
import type { Clock } from '#shared/domain/kernel/system-clock.ts';
import type { Sql } from '#shared/postgres/kernel/client.ts';
import type { StaleReads } from '#shared/postgres/kernel/replica.ts';
import type { SecretBox } from './secret-box.ts';

/** Configuration that services read. */
export interface ServiceSettings {
  /** Public base address of the API, without a trailing slash. */
  publicUrl: string;
  /** Address of the gateway as chargers reach it, without the identity at its end. */
  ocppUrl: string;
  /** Directory of firmware images. */
  firmwareDir: string;
  /** Maximum size of a firmware image in bytes. */
  firmwareMaxBytes: number;
  /** Directory of exported files. */
  exportDir: string;
  /** Size in bytes that the files of all exports may have together. */
  exportMaxBytes: number;
  /** Retention of records that grow without end. */
  retention: Retention;
  /** Requests within a minute for a network without a limit of its own; null: no limit. */
  networkRequestsPerMinute: number | null;
  /** Serves the standard's own OCPI 2.2.1 paths alongside the documented ones. */
  ocpiStrict: boolean;
  /** Slug or uuid of the network of drivers who name none; null: the oldest network. */
  defaultNetwork: string | null;
  /** Minutes offline after which a charger raises an alert. */
  offlineAlertMinutes: number;
}

/** Stores and infrastructure that every service may use. Rooms that need more extend it with their own. */
export interface ServiceDeps {
  sql: Sql;
  /** Reads of reports, analytics and exports of the past, which may use a read replica. */
  staleReads: StaleReads;
  clickhouse: ClickHouse;
  bus: Bus;
  /** Time, and the timers of what is done later. */
  clock: Clock;
  /** Seals secrets that are stored. */
  secrets: SecretBox;
  settings: ServiceSettings;
}
