import { parseArgs } from 'node:util';
import type { Selection } from './test-files.ts';

/** Options of `npm test`, `npm run test:unit` and `npm run test:system`. */
export interface RunOptions {
  /** Named test files, from the root or absolute. Empty: all files of the selection. */
  files: string[];
  /** Kind of tests to run when no file is named. */
  selection: Selection;
  /** Runs the files affected by the changes since this revision; null: all files. */
  changedSince: string | null;
  /** Runs a failed file once more, by itself. */
  repeatsFailed: boolean;
  /** Orders the files. */
  seed: number;
  /** Number of worker processes; null: chosen by the number of cores. */
  workers: number | null;
  /** Time in seconds that a file may take. */
  timeoutSeconds: number;
}

/** Time in seconds that a test file may take, unless `--timeout` sets another. */
const defaultTimeoutSeconds = 900;

/**
 * Parses the options of a run.
 * @throws {TypeError} for an unknown option.
 */
export function parseOptions(args: readonly string[]): RunOptions {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      unit: { type: 'boolean', default: false },
      system: { type: 'boolean', default: false },
      all: { type: 'boolean', default: false },
      changed: { type: 'boolean', default: false },
      since: { type: 'string', default: 'HEAD' },
      repeat: { type: 'boolean', default: false },
      seed: { type: 'string', default: String(Math.trunc(Math.random() * 1e9)) },
      workers: { type: 'string' },
      timeout: { type: 'string', default: String(defaultTimeoutSeconds) },
    },
  });
  return {
    files: positionals,
    selection: values.unit ? 'unit' : values.system ? 'system' : values.all ? 'all' : 'default',
    changedSince: values.changed ? values.since : null,
    repeatsFailed: values.repeat,
    seed: Number(values.seed),
    workers: values.workers === undefined ? null : Number(values.workers),
    timeoutSeconds: Number(values.timeout),
  };
}
