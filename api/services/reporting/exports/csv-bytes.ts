import { stringify } from 'csv-stringify/sync';
import type { ExportColumn } from '#shared/domain/reporting/export-columns.ts';
import type { ExportRow } from '#shared/domain/reporting/export.ts';

/** Characters with which a spreadsheet takes a text for a formula (OWASP, CSV injection), and their full-width forms. */
const formula = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;
/** Amounts are decimal text, since a number is not exact. */
const negative = /^-\d+(?:\.\d+)?$/;

const options = {
  record_delimiter: 'windows',
  quoted_match: /[\r\n]/,
  cast: {
    boolean: String,
    date: (value: Date) => value.toISOString(),
    string: (value: string) => (formula.test(value) && !negative.test(value) ? `'${value}` : value),
  },
} as const;

/**
 * Rows as CSV (RFC 4180, UTF-8) with a line of names. A null is an empty field. Texts that a spreadsheet would run as formulas begin
 * with an apostrophe.
 */
export async function* csvBytes(
  columns: readonly Pick<ExportColumn, 'name'>[],
  batches: AsyncIterable<ExportRow[]>,
  delimiter = ',',
): AsyncGenerator<Uint8Array, void, undefined> {
  const all = { ...options, delimiter };
  yield Buffer.from(stringify([columns.map(({ name }) => name)], all));
  for await (const rows of batches) yield Buffer.from(stringify(rows as unknown[][], all));
}

/** A CSV with a byte order mark, for people: Excel reads a file without one in the encoding of its system. */
export async function* withByteOrderMark(
  csv: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  yield Buffer.from('\ufeff');
  yield* csv;
}
