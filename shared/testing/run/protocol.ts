/** Order to a worker: run this file, or end. */
export type WorkerOrder = { run: string; timeoutSeconds: number } | { end: true };

/** Report of a worker. */
export type WorkerReport = { kind: 'alive' } | { kind: 'done'; result: FileResult };

/** Outcome of a test file. */
export interface FileResult {
  /** Path from the root. */
  file: string;
  passed: boolean;
  /** Numbers of assertions. */
  counts: Counts;
  seconds: number;
  /** TAP of the file, not indented. */
  tap: string;
  /** True when the process is not fit for another file. */
  isSpent: boolean;
}

export interface Counts {
  pass: number;
  fail: number;
  skip: number;
  todo: number;
}
