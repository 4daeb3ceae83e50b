import { type Static, Type } from 'typebox';
import { DateTime, Integer, isoOrNull, Named, Nullable, OneOf, Str, Uuid } from '#api/routes/schema.ts';
import type { ExportPart, ExportRecord } from '#api/services/reporting/exports/exports.service.ts';
import { exportDatasets, exportStates } from '#shared/domain/reporting/export.ts';
import { By, Format } from './export-fields.ts';

export const Dataset = OneOf(
  exportDatasets,
  'Data to export: completed sessions, charge detail records of roaming partners, or meter readings.',
);

export const State = OneOf(
  exportStates,
  'State of the export. QUEUED: waits for a worker. RUNNING: its parts are being made; stored ones can be downloaded. ' +
    'COMPLETED: all parts are stored. FAILED: `failure` has the reason; stored parts can be downloaded. EXPIRED: the ' +
    'files are removed.',
);

const Part = Named('ExportPart', {
  number: Integer('Number of the part, from 1.', 1),
  from: DateTime('Start of its range, inclusive.'),
  to: DateTime('End of its range, exclusive.'),
  rows: Integer('Number of rows.', 48211),
  sizeBytes: Integer('Size of the file in bytes.', 1048576),
  sha256: Str(
    'SHA-256 of the file, hexadecimal.',
    '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  ),
});

const fields = {
  id: Uuid('Export identifier.'),
  networkIds: Type.Array(Uuid('Network identifier.'), {
    description: 'Networks of the rows: the networks of the creator when the export was created.',
  }),
  dataset: Dataset,
  format: Format,
  by: By,
  from: DateTime('Start of the range, inclusive.'),
  to: DateTime('End of the range, exclusive. With `by=updated`, the `from` of the next incremental export.'),
  state: State,
  failure: Nullable(
    Str(
      'Reason of the failure. Null unless it failed.',
      'A part could not be made. The log of the API has the cause.',
    ),
  ),
  partsTotal: Integer('Number of parts. 0 while queued, and of a range without rows.', 12),
  partsStored: Integer('Number of parts that are stored.', 7),
  rows: Integer('Rows of the stored parts.', 337477),
  sizeBytes: Integer('Size of the stored parts in bytes.', 7340032),
  createdBy: Nullable(Str('API key or operator that created it. Null: without a name.', 'Warehouse')),
  createdAt: DateTime('Time of creation.'),
  startedAt: Nullable(DateTime('Time a worker divided it into parts. Null before that.')),
  endedAt: Nullable(DateTime('Time it was completed or failed. Null before that.')),
  expiresAt: Nullable(DateTime('Time the files are removed. Null while it is queued or runs.')),
};

/** Export in a list. */
export const Export = Named('Export', fields);

/** Export with its stored parts. */
export const ExportDetails = Named('ExportDetails', {
  ...fields,
  parts: Type.Array(Part, { description: 'Stored parts in order. Empty after the expiry.' }),
});

export function exportView(record: ExportRecord): Static<typeof Export> {
  return {
    id: record.uuid,
    networkIds: record.networkUuids,
    dataset: record.dataset,
    format: record.format,
    by: record.by,
    from: record.from.toISOString(),
    to: record.to.toISOString(),
    state: record.state,
    failure: record.failure,
    partsTotal: record.partsTotal,
    partsStored: record.partsStored,
    rows: Number(record.rows),
    sizeBytes: Number(record.sizeBytes),
    createdBy: record.createdByName,
    createdAt: record.createdAt.toISOString(),
    startedAt: isoOrNull(record.startedAt),
    endedAt: isoOrNull(record.endedAt),
    expiresAt: isoOrNull(record.expiresAt),
  };
}

export function partView({ number, from, to, rows, sizeBytes, sha256 }: ExportPart): Static<typeof Part> {
  return {
    number,
    from: from.toISOString(),
    to: to.toISOString(),
    rows: Number(rows),
    sizeBytes: Number(sizeBytes),
    sha256,
  };
}
