import type { ImportFault, ImportKindName } from '#shared/domain/imports/import.ts';
import type { Actor } from '#api/services/access/audit.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';

/** Value of a cell. */
export type CellValue = string | number | boolean | string[];

/** Column of a kind. */
export interface ImportColumn {
  type: 'string' | 'integer' | 'number' | 'boolean' | 'date-time' | 'list';
  description: string;
  example: string;
  /** Accepted values, if they are a fixed set. */
  values: readonly string[] | null;
  /** Part of the natural key. */
  isKey: boolean;
  /** True: no two records have the same value. The column of a natural key is another one. */
  isUnique: boolean;
  /** Required for a new record. */
  isRequired: boolean;
  isSecret: boolean;
  /** Returns the fault of a value, or null. */
  faultOf: (value: CellValue) => string | null;
}

/** Dependencies of a row: its statements run in one transaction. */
export interface RowContext {
  deps: ServiceDeps;
  by: Actor;
  network: { id: number; uuid: string };
}

/** Values of a row by column. Empty cells are absent. */
export type RowValues = Readonly<Record<string, CellValue>>;

/** Stored record with the natural key of a row. */
export interface FoundRecord {
  uuid: string;
  /** Present values, by the names of the fields. */
  fields: Readonly<Record<string, unknown>>;
}

/** Created record. */
export interface CreatedRecord {
  uuid: string;
  /** Password that was generated for it. */
  password?: string;
}

/** Kind of records that a file contains. Changes go through the services of the API's own writes. */
export interface ImportKind {
  name: ImportKindName;
  columns: Readonly<Record<string, ImportColumn>>;
  find(context: RowContext, row: RowValues): Promise<FoundRecord | null>;
  /** Returns the fields that the services take, with references resolved. Absent fields stay. */
  fields(
    context: RowContext,
    row: RowValues,
    found: FoundRecord | null,
  ): Promise<Readonly<Record<string, unknown>>>;
  create(context: RowContext, fields: Readonly<Record<string, unknown>>): Promise<CreatedRecord>;
  change(context: RowContext, uuid: string, fields: Readonly<Record<string, unknown>>): Promise<void>;
}

/** Error of a row that names its columns. */
export class RowError extends Error {
  readonly faults: ImportFault[];

  constructor(faults: ImportFault[]) {
    super(faults.map(({ column, message }) => `${column ?? 'row'} ${message}`).join('; '));
    this.faults = faults;
  }
}
