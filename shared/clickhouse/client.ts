import { type ClickHouseClient, ClickHouseError, createClient } from '@clickhouse/client';

/** A client of one ClickHouse database. */
export type ClickHouse = ClickHouseClient;

/** Opens a client; it connects on first use. A request that gets no answer within `timeoutMs` fails. */
export function openClickHouse(
  url: string,
  options: { name: string; connections: number; timeoutMs?: number },
): ClickHouse {
  return createClient({
    url,
    application: options.name,
    max_open_connections: options.connections,
    request_timeout: options.timeoutMs ?? 30_000,
    // The writers count and log failures; the client's own line for every failed request is disabled.
    log: { level: 127 },
    clickhouse_settings: { output_format_json_quote_64bit_integers: 0 },
  });
}

/** Resolves when the server answers; rejects otherwise: for readiness checks. */
export async function pingClickHouse(client: ClickHouse): Promise<void> {
  const answer = await client.ping();
  if (!answer.success) throw answer.error;
}

/**
 * Returns true when ClickHouse is unreachable or cannot accept writes now, so that the same rows may succeed later. An
 * error in the query itself would recur without end.
 */
export function isClickHouseDown(error: unknown): boolean {
  if (!(error instanceof ClickHouseError)) return true;
  return temporaryCodes.has(error.code);
}

/**
 * Returns true when ClickHouse refused the rows for their content, so that it would refuse the same rows again. Any
 * other error (a missing table, a wrong password) can be fixed, and the rows are kept until then.
 */
export function isRowFault(error: unknown): boolean {
  return error instanceof ClickHouseError && rowFaults.has(error.code);
}

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

/** TIMEOUT_EXCEEDED, TOO_MANY_SIMULTANEOUS_QUERIES, MEMORY_LIMIT, READONLY table, TOO_MANY_PARTS, no disk space, Keeper. */
const temporaryCodes = new Set([
  '159',
  '202',
  '210',
  '241',
  '242',
  '243',
  '252',
  '319',
  '425',
  '999',
  '1002',
]);
