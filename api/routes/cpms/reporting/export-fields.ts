import { Type } from 'typebox';
import { DateTime, OneOf, Uuid } from '#api/routes/schema.ts';
import { exportFormats, exportRanges } from '#shared/domain/reporting/export.ts';

export const Format = OneOf(
  exportFormats,
  'Format of the files: Apache Parquet with ZSTD, or CSV (RFC 4180, UTF-8).',
);

export const By = OneOf(
  exportRanges,
  'Time that the range selects by. occurred: the end of a session, the creation of a CDR, the time of a reading. ' +
    'updated: the last change of a session, the creation of a CDR, the receipt of a reading; for incremental loads.',
);

/** Range of an export in a query or a body. */
export const rangeFields = {
  by: Type.Optional({ ...By, default: 'occurred' as const }),
  from: DateTime('Start of the range, inclusive.'),
  to: Type.Optional(
    DateTime(
      'End of the range, exclusive. Default: now; for `by=updated` 5 minutes ago, which is also the latest accepted time.',
    ),
  ),
  networkId: Type.Optional(Uuid('Network to export. Default: all networks of the caller.')),
};
