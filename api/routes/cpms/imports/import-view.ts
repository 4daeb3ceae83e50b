import { type Static, Type } from 'typebox';
import {
  DateTime,
  Flag,
  Integer,
  isoOrNull,
  Named,
  Nullable,
  OneOf,
  Str,
  Text,
  Uuid,
} from '#api/routes/schema.ts';
import type { ImportKind } from '#api/services/imports/kind.ts';
import type {
  ImportMapping,
  ImportRecord,
  ImportWithCounts,
  ShownRow,
} from '#api/services/imports/imports.service.ts';
import {
  importDays,
  importKindNames,
  importOutcomes,
  importStates,
  importTransitions,
} from '#shared/domain/imports/import.ts';

export const Kind = OneOf(importKindNames, 'Kind of the records in the file.');

export const Outcome = OneOf(
  importOutcomes,
  'pending: not processed in this pass. created, changed: the record is, or in a dry run would be. unchanged: the record has these ' +
    'values. failed: `errors` has the reasons.',
);

export const Mapping = Type.Record(
  Type.String({ maxLength: 40 }),
  Text(200, 'Name of a column of the file.', 'Site name'),
  {
    maxProperties: 40,
    description: 'Column of the file for each column of the kind. Values of other columns stay unchanged.',
    examples: [{ name: 'Site name', city: 'Town' }],
  },
);

const kindFields = {
  kind: Kind,
  scope: Str('Scope that the import needs.', 'cpms:write:locations'),
  columns: Type.Array(
    Named('ImportColumn', {
      name: Str('Name of the column.', 'serial'),
      type: OneOf(
        ['string', 'integer', 'number', 'boolean', 'date-time', 'list'],
        'Type of the values. list: values separated by |.',
      ),
      description: Str('Content of the column.', 'Serial number.'),
      example: Str('Example of a value.', 'QUAY-1'),
      values: Nullable(
        Type.Array(Type.String({ examples: ['SOCKET'] }), {
          description: 'Accepted values. Null: any value of the type.',
        }),
      ),
      isKey: Flag('True for columns that identify the record.'),
      isRequired: Flag('True for columns that a new record requires.'),
      isSecret: Flag('True for columns whose values are never shown.'),
    }),
    { description: 'Columns of the kind.' },
  ),
};

export const ImportKindView = Named('ImportKind', kindFields);

export function kindView({ name, columns }: ImportKind, scope: string): Static<typeof ImportKindView> {
  return {
    kind: name,
    scope,
    columns: Object.entries(columns).map(([column, { faultOf: _faultOf, values, ...rest }]) => ({
      name: column,
      values: values === null ? null : [...values],
      ...rest,
    })),
  };
}

const fields = {
  id: Uuid('Import identifier.'),
  kind: Kind,
  networkId: Uuid('Network that the records belong to.'),
  state: OneOf(
    importStates.filter((state) => state !== 'RECEIVING'),
    'UPLOADED: waits for a dry run or the import. CHECKING: a dry run is in progress. CHECKED: it has a result for every row. APPLYING: ' +
      'rows are imported. COMPLETED: every row has its outcome. CANCELLED: by an operator; applied rows stay. STOPPED: the ' +
      `creator was revoked or lacks the scope. EXPIRED: the rows were removed, ${importDays} days after the latest change.`,
  ),
  fileName: Str('Name of the file.', 'sites.csv'),
  header: Type.Array(Type.String({ examples: ['Site name'] }), {
    description: 'Names of the columns of the file. `#3` stands for the third column if it has no name.',
  }),
  mapping: Mapping,
  total: Integer('Number of rows.', 120),
  createdBy: Nullable(Str('Name of the key or operator that uploaded it.', 'Set-up')),
  createdAt: DateTime('Time of the upload.'),
  endedAt: Nullable(DateTime('Time of the end. Null before.')),
};

/** Import in a list. */
export const ImportItem = Named('ImportSummary', fields);

/** Import with its progress. */
export const ImportDetail = Named('Import', {
  ...fields,
  outcomes: Type.Object(
    Object.fromEntries(importOutcomes.map((outcome) => [outcome, Integer(`Number of rows: ${outcome}.`, 3)])),
    { description: 'Number of rows by outcome in the latest pass.' },
  ),
  isCheckable: Flag('True when a dry run can begin.'),
  isApplicable: Flag('True when the import can begin.'),
});

export function importItem(record: ImportRecord): Static<typeof ImportItem> {
  const { uuid, networkUuid, kind, state, fileName, header, mapping, total, creatorName } = record;
  return {
    id: uuid,
    kind,
    networkId: networkUuid,
    // Imports that are being received are not shown.
    state: state as Exclude<typeof state, 'RECEIVING'>,
    fileName,
    header,
    mapping,
    total,
    createdBy: creatorName,
    createdAt: record.createdAt.toISOString(),
    endedAt: isoOrNull(record.endedAt),
  };
}

export function importDetail({ record, counts }: ImportWithCounts): Static<typeof ImportDetail> {
  return {
    ...importItem(record),
    outcomes: counts,
    isCheckable: importTransitions.check.from.includes(record.state),
    isApplicable: importTransitions.apply.from.includes(record.state),
  };
}

/** Row with its result. */
export const ImportRow = Named('ImportRow', {
  line: Integer('Line of the file on which the row ends, from 1.', 2),
  outcome: Outcome,
  recordId: Nullable(Uuid('Identifier of the record. Null if none was created or found.')),
  cells: Type.Array(Type.String({ examples: ['Quay'] }), {
    description: 'Cells in the order of `header`. Cells with passwords are empty.',
  }),
  errors: Type.Array(
    Named('ImportError', {
      column: Nullable(Str('Column of the kind. Null: the row as a whole.', 'latitude')),
      fileColumn: Nullable(Str('Column of the file. Null if none is mapped.', 'Lat')),
      code: Str('Stable code.', 'VALIDATION_FAILED'),
      message: Str('Fault, as the end of a sentence about the column.', 'must be <= 90'),
    }),
    { description: 'Reasons of the outcome `failed`.' },
  ),
});

export function importRow(row: ShownRow, mapping: ImportMapping): Static<typeof ImportRow> {
  const { line, outcome, resourceUuid, cells, errors } = row;
  return {
    line,
    outcome,
    recordId: resourceUuid,
    cells,
    errors: (errors ?? []).map((fault) => ({
      ...fault,
      fileColumn: fault.column === null ? null : (mapping[fault.column] ?? null),
    })),
  };
}
