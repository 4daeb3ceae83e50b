import { saveFile } from './save-file.ts';

/** Value of a cell; null is empty. */
type CsvCell = string | number | null;

/** Characters with which a spreadsheet takes a text for a formula (OWASP, CSV injection), and their full-width forms. */
const formula = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;

function cellText(value: CsvCell): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = formula.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Returns a line of a CSV file (RFC 4180). */
export const csvLine = (cells: readonly CsvCell[]) => `${cells.map(cellText).join(',')}\r\n`;

/**
 * Saves lines as a file, whose name ends with the date. Excel reads one without a byte order mark in the encoding of its
 * system.
 */
export function saveCsv(name: string, lines: readonly string[]): void {
  const file = new Blob(['\ufeff', ...lines], { type: 'text/csv;charset=utf-8' });
  saveFile(`${name}_${new Date().toISOString().slice(0, 10)}.csv`, file);
}
