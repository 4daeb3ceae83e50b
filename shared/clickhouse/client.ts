import { type ClickHouseSettings, createClient } from '@clickhouse/client';
import { parseClickHouseUrl } from '#shared/domain/kernel/clickhouse-address.ts';
import { clickHouseFault } from './faults.queries.ts';
import { type ClickHouse, ClickHouseServers } from './servers.queries.ts';

export type { ClickHouse } from './servers.queries.ts';

/**
 * Settings of every request to a cluster. An insert returns when most replicas of its shards have the rows; a repeat is not stored
 * again, but reaches the views. A read uses replicas that are at most 5 s behind. Rows of a charger, network or partner are on
 * one shard (ADR 74), so a read of one of them goes only to that shard. An `insert … select` collects its rows before they are
 * divided among shards: shards of source and target differ.
 */
const clusterSettings: ClickHouseSettings = {
  distributed_foreground_insert: 1,
  insert_quorum: 'auto',
  insert_quorum_parallel: 1,
  insert_quorum_timeout: 8000,
  deduplicate_blocks_in_dependent_materialized_views: 1,
  parallel_distributed_insert_select: '0',
  optimize_skip_unused_shards: 1,
  max_replica_delay_for_distributed_queries: '5',
  fallback_to_stale_replicas_for_distributed_queries: 0,
};

/**
 * Opens a client; it connects on first use. A request that gets no answer within `timeoutMs` fails. `url` may name several hosts with
 * commas in between; each client begins with another one, so that the processes use all of them.
 */
export function openClickHouse(
  url: string,
  options: { name: string; connections: number; timeoutMs?: number },
): ClickHouse {
  const address = parseClickHouseUrl(url);
  if (address === null) throw new TypeError('the URL of ClickHouse is not valid');
  const { servers, cluster } = address;
  const first = Math.floor(Math.random() * servers.length);
  const clients = [...servers.slice(first), ...servers.slice(0, first)].map((server) =>
    createClient({
      url: server,
      application: options.name,
      max_open_connections: options.connections,
      request_timeout: options.timeoutMs ?? 30_000,
      // The writers count and log failures; the client's own line for every failed request is disabled.
      log: { level: 127 },
      clickhouse_settings: {
        output_format_json_quote_64bit_integers: 0,
        ...(cluster === null ? {} : clusterSettings),
      },
    }),
  );
  return new ClickHouseServers(clients, cluster);
}

/** Resolves when the server answers; rejects otherwise: for readiness checks. */
export async function pingClickHouse(client: ClickHouse): Promise<void> {
  const answer = await client.ping();
  if (!answer.success) throw answer.error;
}

/** Returns the version of ClickHouse. */
export async function readClickHouseVersion(client: ClickHouse): Promise<string> {
  const result = await client.query({ query: 'select version() as version', format: 'JSONEachRow' });
  const [row] = await result.json<{ version: string }>();
  return row?.version ?? '';
}

/**
 * Returns true when ClickHouse is unreachable, cannot accept writes now, or is still to be migrated or configured, so that the same
 * rows or query may succeed later. An error in the query itself would recur without end.
 */
export function isClickHouseDown(error: unknown): boolean {
  const fault = clickHouseFault(error);
  return fault === 'unavailable' || fault === 'misconfigured';
}

/** Returns true when ClickHouse is unreachable or cannot accept writes now: for callers that migrate it. */
export function isClickHouseAway(error: unknown): boolean {
  return clickHouseFault(error) === 'unavailable';
}

/**
 * Returns true when ClickHouse refused the rows for their content, so that it would refuse the same rows again. After any
 * other error (a missing table, a wrong password) the rows are kept.
 */
export function isRowFault(error: unknown): boolean {
  return clickHouseFault(error) === 'rows';
}
