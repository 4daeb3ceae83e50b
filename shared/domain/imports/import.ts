import type { Scope } from '#shared/domain/access/scopes.ts';

/** Kinds of records that are imported, with the scope of a single write. */
export const importScopes = {
  locations: 'cpms:write:locations',
  chargers: 'cpms:write:chargers',
  connectors: 'cpms:write:connectors',
  drivers: 'cpms:write:users',
  tokens: 'cpms:write:id-tokens',
  tariffs: 'cpms:write:tariffs',
} as const satisfies Record<string, Scope>;
export type ImportKindName = keyof typeof importScopes;
export const importKindNames = Object.keys(importScopes) as ImportKindName[];

export const importStates = [
  'RECEIVING',
  'UPLOADED',
  'CHECKING',
  'CHECKED',
  'APPLYING',
  'COMPLETED',
  'CANCELLED',
  'STOPPED',
  'EXPIRED',
] as const;
export type ImportState = (typeof importStates)[number];

/** Event in the life of an import. */
export type ImportEvent =
  | 'received'
  | 'check'
  | 'checked'
  | 'apply'
  | 'applied'
  | 'cancel'
  | 'stopped'
  | 'expired';

/** Transition table: the states that each event leaves, and the one that it enters. Every other pair is refused. */
export const importTransitions: Record<ImportEvent, { from: readonly ImportState[]; to: ImportState }> = {
  /** All rows of the file are stored. */
  received: { from: ['RECEIVING'], to: 'UPLOADED' },
  /** A dry run is requested. */
  check: { from: ['UPLOADED', 'CHECKED'], to: 'CHECKING' },
  /** The dry run has a result for every row. */
  checked: { from: ['CHECKING'], to: 'CHECKED' },
  /** The import is requested. */
  apply: { from: ['UPLOADED', 'CHECKED'], to: 'APPLYING' },
  /** Every row has its outcome. */
  applied: { from: ['APPLYING'], to: 'COMPLETED' },
  /** An operator cancelled it. Applied rows stay. */
  cancel: { from: ['UPLOADED', 'CHECKING', 'CHECKED', 'APPLYING'], to: 'CANCELLED' },
  /** The creator lost its authority. Applied rows stay. */
  stopped: { from: ['CHECKING', 'APPLYING'], to: 'STOPPED' },
  /** Its rows were removed after their retention. */
  expired: { from: ['RECEIVING', 'UPLOADED', 'CHECKED', 'COMPLETED', 'CANCELLED', 'STOPPED'], to: 'EXPIRED' },
};

/** States in which a worker processes rows, and the event of the last one. */
export const importPasses = { CHECKING: 'checked', APPLYING: 'applied' } as const satisfies Partial<
  Record<ImportState, ImportEvent>
>;
export type ImportPass = keyof typeof importPasses;
export const importPassStates = Object.keys(importPasses) as ImportPass[];

/** Outcome of a row in the latest pass. A dry run has the outcomes that the import would have. */
export const importOutcomes = ['pending', 'created', 'changed', 'unchanged', 'failed'] as const;
export type ImportOutcome = (typeof importOutcomes)[number];

/** Fault of a row. */
export interface ImportFault {
  /** Column of the kind; null: the row as a whole. */
  column: string | null;
  code: string;
  message: string;
}

/** Limits of a file. */
export const importLimits = { bytes: 10 * 1024 * 1024, rows: 20_000, columns: 100, rowBytes: 32_768 };

/** Days after its latest change for which the rows of an import are stored. */
export const importDays = 7;
