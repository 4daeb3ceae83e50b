import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
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
  return insertChunks(client, table, 'JSONCompactEachRow', chunks);
}

/** Writes rows that `BinaryRows` encoded in one insert; when it resolves they are stored. */
export function insertBinary(
  client: ClickHouse,
  table: LineTable,
  chunks: readonly Uint8Array[],
): Promise<void> {
  return insertChunks(client, table, 'RowBinary', chunks);
}

async function insertChunks(
  client: ClickHouse,
  { name, columns }: LineTable,
  format: 'JSONCompactEachRow' | 'RowBinary',
  chunks: readonly Uint8Array[],
): Promise<void> {
  const { stream } = await client.exec({
    query: `insert into ${name} (${columns.join(', ')}) format ${format}`,
    values: Readable.from(chunks, { objectMode: false }),
  });
  await finished(stream.resume());
}
