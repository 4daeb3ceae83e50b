import type { ImportFault } from '#shared/domain/imports/import.ts';
import type { ImportMapping } from '#shared/postgres/imports/imports.statements.ts';
import type { CellValue, ImportColumn, ImportKind } from './kind.ts';

/** Row as values, with the faults of its cells. */
export interface ReadRow {
  values: Record<string, CellValue>;
  faults: ImportFault[];
}

/** File that rows belong to. */
export interface RowFile {
  separator: string;
  header: readonly string[];
  mapping: ImportMapping;
}

/** Converts the cells of a row to values, and checks each by the schema of its column. */
export function readRow(
  kind: ImportKind,
  { separator, header, mapping }: RowFile,
  cells: readonly string[],
): ReadRow {
  const values: Record<string, CellValue> = {};
  const faults: ImportFault[] = [];
  const fail = (column: string | null, message: string) =>
    faults.push({ column, code: 'VALIDATION_FAILED', message });
  if (cells.length > header.length) {
    const counts = `has ${cells.length} cells, and the header has ${header.length}`;
    fail(null, `${counts}: put text that contains the separator in double quotes`);
  }
  for (const [name, column] of Object.entries(kind.columns)) {
    const place = mapping[name];
    const text = place === undefined ? '' : unescape(cells[header.indexOf(place)] ?? '');
    if (text === '') {
      if (column.isKey) fail(name, 'is required: it identifies the record');
      continue;
    }
    const value = valueOf(text, column, separator);
    const fault = value === null ? `must be ${words[column.type]}` : column.faultOf(value);
    if (fault !== null) fail(name, fault);
    else if (value !== null) values[name] = value;
  }
  return { values, faults };
}

/** Returns the text of a cell without the apostrophe that our exports put before text which looks like a formula. */
function unescape(text: string): string {
  return /^'[=+\-@]/.test(text) ? text.slice(1) : text;
}

const words: Record<ImportColumn['type'], string> = {
  string: 'text',
  integer: 'a whole number, such as 32',
  number: 'a number without a thousands separator, such as 12.5 (12,5 in a file with semicolons or tabs)',
  boolean: 'true or false',
  'date-time': 'a date and time with its zone, such as 2026-01-31T12:00:00Z',
  list: 'values separated by |',
};

/** Words of spreadsheets in the languages of the console. */
const yes = ['true', 'yes', '1', 'wahr', 'ja', 'vrai', 'oui', 'waar'];
const no = ['false', 'no', '0', 'falsch', 'nein', 'faux', 'non', 'onwaar', 'nee'];

function valueOf(text: string, { type, values }: ImportColumn, separator: string): CellValue | null {
  if (type === 'boolean') {
    const word = text.toLowerCase();
    return yes.includes(word) ? true : no.includes(word) ? false : null;
  }
  if (type === 'integer' || type === 'number') {
    // Where commas do not separate cells, spreadsheets write them before decimals.
    const plain = separator === ',' ? text : text.replace(/^(-?\d+),(\d+)$/, '$1.$2');
    return /^-?\d+(\.\d+)?$/.test(plain) ? Number(plain) : null;
  }
  if (type === 'list') {
    const items = text.split('|').map((item) => item.trim());
    return items.filter((item) => item !== '');
  }
  if (type === 'date-time') {
    const time = /^\d{4}-\d\d-\d\dT.*(?:Z|[+-]\d\d:\d\d)$/i.test(text) ? new Date(text) : null;
    return time === null || Number.isNaN(time.getTime()) ? null : time.toISOString();
  }
  return values?.find((value) => value.toLowerCase() === text.toLowerCase()) ?? text;
}
