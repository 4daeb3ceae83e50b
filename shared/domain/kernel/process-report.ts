/** Interval of the reports of an API process, in ms. */
export const processReportEveryMs = 60_000;

/** Seconds without a report after which an API process is silent. */
export const processSilentAfterSeconds = 150;

/** API process, as it describes itself. */
export interface ProcessIdentity {
  /** Machine and process id. */
  name: string;
  version: string;
  nodeVersion: string;
  startedAt: Date;
}
