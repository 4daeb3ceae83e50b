import type { ClickHouse } from './client.ts';

/** A table with the columns of its rows, in their order. */
export interface LineTable {
  name: string;
  columns: readonly string[];
}

/** Writes rows that are lines of JSON already (`JSONCompactEachRow`) in one insert; when it resolves they are stored. */
export function insertLines(
  client: ClickHouse,
  table: LineTable,
  chunks: readonly Uint8Array[],
): Promise<void> {
  return client.send(statement(table, 'JSONCompactEachRow'), chunks);
}

/**
 * Writes rows that `BinaryRows` encoded in one insert; when it resolves they are stored.
 * @param token identifies the rows: a cluster that has an insert with this token does not store them again.
 */
export function insertBinary(
  client: ClickHouse,
  table: LineTable,
  chunks: readonly Uint8Array[],
  token?: string,
): Promise<void> {
  const settings = token === undefined ? {} : { insert_deduplication_token: token };
  return client.send(statement(table, 'RowBinary'), chunks, settings);
}

const statement = ({ name, columns }: LineTable, format: 'JSONCompactEachRow' | 'RowBinary') =>
  `insert into ${name} (${columns.join(', ')}) format ${format}`;
