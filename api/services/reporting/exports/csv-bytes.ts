import type { ExportColumn } from '#shared/domain/reporting/export-columns.ts';
import type { ExportRow, ExportValue } from '#shared/domain/reporting/export.ts';

/** Characters with which a spreadsheet takes a text for a formula (OWASP, CSV injection), and their full-width forms. */
const formula = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;
/** Amounts are decimal text, since a number is not exact. */
const negative = /^-\d+(?:\.\d+)?$/;
const quoted = /[",\r\n]/;

/**
 * Rows as CSV (RFC 4180, UTF-8) with a line of names. A null is an empty field. Texts that a spreadsheet would run as formulas begin
 * with an apostrophe.
 */
export async function* csvBytes(
  columns: readonly Pick<ExportColumn, 'name'>[],
  batches: AsyncIterable<ExportRow[]>,
): AsyncGenerator<Uint8Array, void, undefined> {
  yield Buffer.from(csvLine(columns.map(({ name }) => name)));
  for await (const rows of batches) yield Buffer.from(rows.map(csvLine).join(''));
}

/** A CSV with a byte order mark, for people: Excel reads a file without one in the encoding of its system. */
export async function* withByteOrderMark(
  csv: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  yield Buffer.from('\ufeff');
  yield* csv;
}

function csvLine(row: ExportRow): string {
  return `${row.map(fieldOf).join(',')}\r\n`;
}

function fieldOf(value: ExportValue): string {
  if (value === null) return '';
  if (value instanceof Date) return value.toISOString();
  if (typeof value !== 'string') return String(value);
  const text = formula.test(value) && !negative.test(value) ? `'${value}` : value;
  return quoted.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
