/** Data that can be exported: one row for each completed session, charge detail record, or meter reading. */
export const exportDatasets = ['sessions', 'cdrs', 'meter-values'] as const;
export type ExportDataset = (typeof exportDatasets)[number];

export const exportFormats = ['parquet', 'csv'] as const;
export type ExportFormat = (typeof exportFormats)[number];

/**
 * Time that a range selects rows by. occurred: the end of a session, the creation of a CDR, the time of a reading.
 * updated: the last change of a session, the creation of a CDR, the receipt of a reading.
 */
export const exportRanges = ['occurred', 'updated'] as const;
export type ExportRange = (typeof exportRanges)[number];

export const exportStates = ['QUEUED', 'RUNNING', 'COMPLETED', 'FAILED', 'EXPIRED'] as const;
export type ExportState = (typeof exportStates)[number];

/** Event in the life of an export. */
export type ExportEvent = 'started' | 'finished' | 'failed' | 'expired';

/** Retention of the files of an export in days. */
export const exportFileDays = 7;

/** Transition table: the states that each event leaves, and the one that it enters. Every other pair is refused. */
export const exportTransitions: Record<ExportEvent, { from: readonly ExportState[]; to: ExportState }> = {
  /** The worker divided the range into parts. */
  started: { from: ['QUEUED'], to: 'RUNNING' },
  /** The last part is stored. */
  finished: { from: ['RUNNING'], to: 'COMPLETED' },
  /** The attempts are used up, or the files would exceed their limit. */
  failed: { from: ['QUEUED', 'RUNNING'], to: 'FAILED' },
  /** The retention has passed; the files are removed. */
  expired: { from: ['COMPLETED', 'FAILED'], to: 'EXPIRED' },
};

/** Rows of an export: what is selected, of which networks, and in which form. */
export interface ExportSelection {
  dataset: ExportDataset;
  format: ExportFormat;
  by: ExportRange;
  networkIds: readonly number[];
  /** Start of the range, inclusive. */
  from: Date;
  /** End of the range, exclusive. */
  to: Date;
}

/** Value of one column. */
export type ExportValue = string | number | bigint | boolean | Date | null;

/** Values in the order of the columns of their dataset. */
export type ExportRow = readonly ExportValue[];

/** Rows of one bucket of time, counted before a range is divided. */
export interface RowCount {
  /** Start of the bucket, in ms since 1970. */
  at: number;
  rows: number;
}
