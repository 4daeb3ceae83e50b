import { ClickHouseError, type ClickHouseSettings, createClient } from '@clickhouse/client';
import { parseClickHouseUrl } from '#shared/domain/kernel/clickhouse-address.ts';
import { type ClickHouse, ClickHouseServers } from './servers.ts';

export type { ClickHouse } from './servers.ts';

/**
 * Settings of every request to a cluster. An insert returns when most replicas of its shards have the rows; a repeat is not stored
 * again, but reaches the views. A read uses replicas that are at most 5 s behind. Rows of a charger, network or partner are on
 * one shard (ADR 74), so a read of one of them goes to that shard alone. An `insert … select` collects its rows before they are
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

/**
 * Returns true when ClickHouse is unreachable, cannot accept writes now, or is still to be migrated, so that the same rows or query
 * may succeed later. An error in the query itself would recur without end.
 */
export function isClickHouseDown(error: unknown): boolean {
  return isClickHouseAway(error) || (error instanceof ClickHouseError && missingCodes.has(error.code));
}

/** Returns true when ClickHouse is unreachable or cannot accept writes now: for those who migrate it. */
export function isClickHouseAway(error: unknown): boolean {
  if (!(error instanceof ClickHouseError)) return true;
  return temporaryCodes.has(error.code) || isLostPacket(error);
}

/**
 * Returns true when ClickHouse refused the rows for their content, so that it would refuse the same rows again. Any
 * other error (a missing table, a wrong password) can be fixed, and the rows are kept until then.
 */
export function isRowFault(error: unknown): boolean {
  return error instanceof ClickHouseError && rowFaults.has(error.code) && !isLostPacket(error);
}

/** Returns true when a connection between two servers of a cluster ended: its error may have the code of rows that end early. */
function isLostPacket({ message }: ClickHouseError): boolean {
  return message.includes('packet from ');
}

/** NO_SUCH_COLUMN_IN_TABLE, UNKNOWN_IDENTIFIER, UNKNOWN_TABLE, UNKNOWN_DATABASE. */
const missingCodes = new Set(['16', '47', '60', '81']);

/** ATTEMPT_TO_READ_AFTER_EOF, CANNOT_READ_ALL_DATA, TOO_LARGE_ARRAY_SIZE, TOO_LARGE_STRING_SIZE, CANNOT_PARSE_* (text, quoted string, escape, date, time, number, input, UUID), TYPE_MISMATCH, ranges, INCORRECT_DATA, NULL. */
const rowFaults = new Set([
  '6',
  '25',
  '26',
  '27',
  '32',
  '33',
  '38',
  '41',
  '53',
  '69',
  '72',
  '117',
  '128',
  '131',
  '321',
  '349',
  '376',
  '407',
]);

/**
 * TIMEOUT_EXCEEDED, TOO_MANY_SIMULTANEOUS_QUERIES, SOCKET_TIMEOUT, NETWORK_ERROR, NO_ZOOKEEPER, ABORTED, MEMORY_LIMIT, READONLY table,
 * TOO_MANY_PARTS, no disk space, ALL_CONNECTION_TRIES_FAILED, quorum (TOO_FEW_LIVE_REPLICAS, UNSATISFIED_QUORUM_FOR_PREVIOUS_WRITE,
 * UNKNOWN_STATUS_OF_INSERT, REPLICA_IS_NOT_IN_QUORUM), ALL_REPLICAS_ARE_STALE, Keeper.
 */
const temporaryCodes = new Set([
  '159',
  '202',
  '209',
  '210',
  '225',
  '236',
  '241',
  '242',
  '243',
  '252',
  '279',
  '285',
  '286',
  '289',
  '319',
  '369',
  '425',
  '999',
  '1002',
]);
