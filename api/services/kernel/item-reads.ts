import type { DomainError } from '#shared/domain/kernel/errors.ts';
import type { Queryable } from '#shared/postgres/kernel/client.ts';
import type { RecordKey, RecordReads, RecordScope, Versioned } from '#shared/postgres/kernel/record-reads.ts';

export type { Versioned } from '#shared/postgres/kernel/record-reads.ts';

/** Reads of one record, both within the scope of the caller. */
export interface ItemReads<Row> {
  /** Returns the version of the record now; null when the caller sees none. */
  version: () => Promise<string | null>;
  /** Returns the record with its version. Rejects with the error of the response when the caller sees none. */
  row: () => Promise<Row>;
}

/** Single record that a caller wants. */
interface WantedItem<Row> {
  sql: Queryable;
  scope: RecordScope;
  reads: RecordReads<Row>;
  key: RecordKey;
  /** Error of a record that the caller does not see, an unknown one or that of others. */
  notFound: () => DomainError;
}

/** Returns the reads of one record by its source. */
export function itemReads<Row>({
  sql,
  scope,
  reads,
  key,
  notFound,
}: WantedItem<Row>): ItemReads<Versioned<Row>> {
  return {
    version: async () => reads.findVersion(sql, scope, key),
    async row() {
      const row = await reads.find(sql, scope, key);
      if (row === null) throw notFound();
      return row;
    },
  };
}
