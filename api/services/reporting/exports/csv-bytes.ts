import { stringify } from 'csv-stringify/sync';
import type { ExportColumn } from '#shared/domain/reporting/export-columns.ts';
import type { ExportRow } from '#shared/domain/reporting/export.ts';

const cast = {
  boolean: String,
  date: (value: Date) => value.toISOString(),
};

/** Rows as CSV (RFC 4180, UTF-8) with a line of names. A null is an empty field. */
export async function* csvBytes(
  columns: readonly Pick<ExportColumn, 'name'>[],
  batches: AsyncIterable<ExportRow[]>,
): AsyncGenerator<Uint8Array, void, undefined> {
  yield Buffer.from(`${columns.map(({ name }) => name).join(',')}\r\n`);
  for await (const rows of batches) {
    yield Buffer.from(stringify(rows as unknown[][], { record_delimiter: 'windows', cast }));
  }
}
