import { csvBytes, withByteOrderMark } from './exports/csv-bytes.ts';
import type { Report, ReportRow } from './reports.service.ts';

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

/** A report as CSV. It is written here and not in a thread: to copy rows into one takes as long, and its heap. */
export function csvText({ type, rows }: Report): AsyncGenerator<Uint8Array, void, undefined> {
  const names: readonly string[] = reportColumns[type];
  async function* values() {
    for await (const batch of rows) yield batch.map((row) => names.map((name) => row[name] ?? null));
  }
  return withByteOrderMark(
    csvBytes(
      names.map((name) => ({ name })),
      values(),
    ),
  );
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
