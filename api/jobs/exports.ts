import type { ApiDeps } from '#api/services/deps.ts';
import { ExportWorker, sweepExports } from '#api/services/reporting/exports/export-worker.ts';
import type { Logger } from '#shared/log/log.ts';

/**
 * Returns the worker that makes the files of exports, one export at a time in each process.
 * @param longReads pools for statements that take minutes.
 */
export function exportWorker(
  { log, ...deps }: ApiDeps & { log: Logger },
  longReads: Pick<ApiDeps, 'sql' | 'staleReads'>,
): ExportWorker {
  const failed = (err: unknown, uuid: string): void =>
    log.warn({ err, export: uuid }, 'a part of an export failed; it is made again');
  return new ExportWorker(deps, { failed }, longReads);
}

/** Removes the files of expired and deleted exports. Any number of processes can run it. */
export async function expireExportFiles({ log, ...deps }: ApiDeps & { log: Logger }): Promise<void> {
  const expired = await sweepExports(deps);
  if (expired > 0) log.info({ expired }, 'exports expired, and their files were removed');
}
