import { stringify } from 'csv-stringify/sync';
import type { Report, ReportRow } from './reports.ts';

/** The columns of each report, in the order of a CSV. */
const totals = [
  'sessions',
  'unpricedSessions',
  'energyKwh',
  'durationSeconds',
  'idleSeconds',
  'currency',
  'exclVat',
  'vat',
  'inclVat',
];
const reportColumns = {
  'daily-sales': ['date', 'networkId', ...totals],
  'by-location': ['networkId', 'locationId', 'locationName', ...totals],
  'by-user': ['networkId', 'userId', 'userName', 'userEmail', ...totals],
  'sessions-summary': [
    'date',
    'transactionId',
    'status',
    'networkId',
    'locationId',
    'locationName',
    'chargerId',
    'chargerUid',
    'connectorNumber',
    'userId',
    'idTag',
    'startedAt',
    'endedAt',
    'durationSeconds',
    'energyKwh',
    'currency',
    'exclVat',
    'vat',
    'inclVat',
    'invoiceNumber',
  ],
} as const satisfies Record<Report['type'], readonly string[]>;

/**
 * A report as CSV (RFC 4180) with a line of names. Text that a spreadsheet would run as a formula, since it begins with one
 * of = + - @, a tab or a carriage return, gets an apostrophe in front (OWASP, CSV Injection). It is written here and not in a
 * thread: to copy rows into one takes as long, and its heap.
 */
export async function* csvText({ type, rows }: Report): AsyncGenerator<string, void, undefined> {
  const columns = [...reportColumns[type]];
  yield `${columns.join(',')}\r\n`;
  for await (const batch of rows)
    yield stringify(batch, { columns, record_delimiter: 'windows', escape_formulas: true });
}

/** A report as one JSON object, with its rows last. */
export async function* jsonText({ type, from, to, rows }: Report): AsyncGenerator<string, void, undefined> {
  const head = JSON.stringify({ type, from, to });
  yield `${head.slice(0, -1)},"data":[`;
  let separator = '';
  for await (const batch of rows) {
    yield separator + batch.map((row: ReportRow) => JSON.stringify(row)).join(',');
    separator = ',';
  }
  yield ']}';
}
