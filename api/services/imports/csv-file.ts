import { pipeline, Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { DomainError } from '#shared/domain/kernel/errors.ts';
import { importLimits } from '#shared/domain/imports/import.ts';

/** Row of a file. */
export interface CsvRow {
  /** Line on which the row ends, from 1. */
  line: number;
  cells: string[];
}

/** A file of which the header was read. */
export interface CsvFile {
  separator: string;
  header: string[];
  /** The other rows, which are parsed while they are read. */
  rows: AsyncIterable<CsvRow>;
}

const separators = [',', ';', '\t'] as const;

/**
 * Reads a CSV file (RFC 4180) in UTF-8, with or without a byte order mark. The first line determines the separator: comma, semicolon
 * or tab.
 * @throws {DomainError} IMPORT_FILE_INVALID, BODY_TOO_LARGE; also while the rows are read.
 */
export async function openCsv(bytes: AsyncIterable<Uint8Array>): Promise<CsvFile> {
  const texts = decode(bytes);
  const begin = await firstLine(texts);
  const separator = separatorOf(begin);
  const records = parseRecords(begin, texts, separator);
  const first = await records.next();
  if (first.done === true) throw invalidFile('The file has no header line.');
  return { separator, header: headerOf(first.value.cells), rows: records };
}

/** Returns the error of a file that cannot be imported. */
export function invalidFile(message: string): DomainError {
  return new DomainError('IMPORT_FILE_INVALID', message);
}

async function* decode(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let size = 0;
  try {
    for await (const chunk of bytes) {
      size += chunk.byteLength;
      if (size > importLimits.bytes) {
        throw new DomainError(
          'BODY_TOO_LARGE',
          `The file is larger than ${importLimits.bytes / 1_048_576} MB. Split it into several files.`,
        );
      }
      yield decoder.decode(chunk, { stream: true });
    }
    yield decoder.decode();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw invalidFile('The file is not in UTF-8. Save it as "CSV UTF-8" in the spreadsheet.');
  }
}

/** Returns the text up to the end of the first line or more. */
async function firstLine(texts: AsyncGenerator<string, void, undefined>): Promise<string> {
  let text = '';
  while (!/\S[\r\n]/.test(text) && text.length <= importLimits.rowBytes) {
    const next = await texts.next();
    if (next.done === true) break;
    text += next.value;
  }
  return text;
}

function separatorOf(text: string): string {
  const [line = ''] = text.trimStart().split(/[\r\n]/);
  const bare = line.replaceAll(/"[^"]*"/g, '');
  const count = (separator: string) => bare.split(separator).length;
  return separators.reduce((best, next) => (count(next) > count(best) ? next : best));
}

async function* parseRecords(
  begin: string,
  rest: AsyncGenerator<string, void, undefined>,
  separator: string,
): AsyncGenerator<CsvRow, void, undefined> {
  async function* all() {
    yield begin;
    yield* rest;
  }
  const parser = parse({
    delimiter: separator,
    info: true,
    trim: true,
    relax_column_count: true,
    skip_empty_lines: true,
    skip_records_with_empty_values: true,
    max_record_size: importLimits.rowBytes,
  });
  // The iteration below reports the errors of both.
  pipeline(Readable.from(all()), parser, () => undefined);
  try {
    for await (const { info, record } of parser as AsyncIterable<{
      info: { lines: number };
      record: string[];
    }>) {
      yield { line: info.lines, cells: record };
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw invalidFile(`The file is not valid CSV: ${error.message}`);
  }
}

function headerOf(cells: readonly string[]): string[] {
  if (cells.length > importLimits.columns) {
    throw invalidFile(`The file has ${cells.length} columns; at most ${importLimits.columns} are accepted.`);
  }
  if (cells.some((cell) => /\p{Cc}/u.test(cell))) {
    throw invalidFile('A column name contains a control character. Save the file as CSV in UTF-8.');
  }
  const names = cells.map((cell, index) => (cell === '' ? `#${index + 1}` : cell));
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined) throw invalidFile(`The file has two columns named ${repeated}. Rename one.`);
  return names;
}
