import { stringify } from 'csv-stringify/sync';
import type { ExportColumn } from '#shared/domain/reporting/export-columns.ts';
import type { ExportRow } from '#shared/domain/reporting/export.ts';

const cast = {
  boolean: String,
  date: (value: Date) => value.toISOString(),
};

/**
 * Rows as CSV (RFC 4180, UTF-8) with a line of names. A null is an empty field.
 * @param options `escapesFormulas`: texts that spreadsheets would run as formulas begin with an apostrophe
 */
export async function* csvBytes(
  columns: readonly Pick<ExportColumn, 'name'>[],
  batches: AsyncIterable<ExportRow[]>,
  options: { escapesFormulas?: boolean } = {},
): AsyncGenerator<Uint8Array, void, undefined> {
  yield Buffer.from(`${columns.map(({ name }) => name).join(',')}\r\n`);
  const { escapesFormulas: escape_formulas = false } = options;
  for await (const rows of batches) {
    yield Buffer.from(stringify(rows as unknown[][], { record_delimiter: 'windows', cast, escape_formulas }));
  }
}
