import { DomainError } from '#shared/domain/kernel/errors.ts';
import type { ExportDataset, ExportFormat, ExportState } from '#shared/domain/reporting/export.ts';
import {
  countUnfinishedExports,
  deleteExport,
  type ExportPart,
  type ExportRecord,
  findExport,
  insertExport,
  listExports,
  listStoredParts,
} from '#shared/postgres/reporting/exports.statements.ts';
import { type Actor, audit } from '#api/services/access/audit.ts';
import type { Caller } from '#api/services/access/callers.ts';
import { cutPage, decodeRowCursor } from '#api/services/kernel/cursors.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import {
  exportNetworks,
  exportRange,
  exportVisibility,
  requireDataScope,
  type RequestedRange,
} from './export-access.ts';
import { dropExportFiles, exportDirectory } from './export-files.ts';

export type { ExportPart, ExportRecord } from '#shared/postgres/reporting/exports.statements.ts';

/** Longest range of an export, in days. */
export const maxExportDays = 366;

/** Unfinished exports of one caller. */
const maxUnfinished = 10;

/** Request of an export. */
interface ExportRequest extends RequestedRange {
  dataset: ExportDataset;
  format: ExportFormat;
  networkId?: string | undefined;
}

/** An export with its stored parts. */
export interface ExportWithParts extends ExportRecord {
  parts: ExportPart[];
}

/**
 * Queues an export of the caller's data.
 * @throws {DomainError} SCOPE_MISSING, NETWORK_NOT_FOUND, VALIDATION_FAILED, TOO_MANY_EXPORTS.
 */
export async function createExport(
  deps: ServiceDeps,
  by: Actor,
  request: ExportRequest,
): Promise<ExportWithParts> {
  const { caller } = by;
  requireDataScope(caller, request.dataset);
  const networkIds = await exportNetworks(deps, caller, request.networkId);
  const selection = { ...request, ...exportRange(request, maxExportDays), networkIds };
  return deps.sql.begin(async (transaction) => {
    const { uuid: creator, name } = caller.who;
    if ((await countUnfinishedExports(transaction, creator)) >= maxUnfinished) {
      throw new DomainError(
        'TOO_MANY_EXPORTS',
        `${maxUnfinished} of your exports are unfinished. Wait until one is complete, or delete one.`,
      );
    }
    const uuid = await insertExport(transaction, selection, { uuid: creator, name });
    const record = requireFound(await findExport(transaction, exportVisibility(caller), uuid), uuid);
    await audit(transaction, by, auditTarget(record, 'create'));
    return { ...record, parts: [] };
  });
}

/** Lists exports that the caller sees, newest first. */
export async function listOperatorExports(
  { sql }: Pick<ServiceDeps, 'sql'>,
  caller: Caller,
  state: ExportState | undefined,
  { cursor, limit }: { cursor: string | undefined; limit: number },
): Promise<{ rows: ExportRecord[]; nextCursor: string | null }> {
  const after = decodeRowCursor(cursor);
  const rows = await listExports(sql, exportVisibility(caller), state, after, limit + 1);
  return cutPage(rows, limit, ({ createdAt, id }) => ({ time: createdAt, tie: String(id) }));
}

/** @throws {DomainError} EXPORT_NOT_FOUND. */
export async function readExport(
  { sql }: Pick<ServiceDeps, 'sql'>,
  caller: Caller,
  uuid: string,
): Promise<ExportWithParts> {
  const record = requireFound(await findExport(sql, exportVisibility(caller), uuid), uuid);
  return { ...record, parts: await listStoredParts(sql, record.id) };
}

/** A file that the caller may download. */
interface ExportDownload {
  part: ExportPart;
  directory: string;
  /** File name for the client. */
  name: string;
  format: ExportFormat;
}

/**
 * Returns the file of a part, by the caller's rights of this moment.
 * @throws {DomainError} EXPORT_NOT_FOUND, EXPORT_PART_NOT_FOUND, EXPORT_NOT_READY, EXPORT_EXPIRED.
 */
export async function findExportDownload(
  { sql, settings }: Pick<ServiceDeps, 'sql' | 'settings'>,
  caller: Caller,
  uuid: string,
  number: number,
): Promise<ExportDownload> {
  const record = requireFound(await findExport(sql, exportVisibility(caller), uuid), uuid);
  if (record.state === 'EXPIRED') {
    throw new DomainError('EXPORT_EXPIRED', 'The files of this export are removed. Create a new export.');
  }
  const part = (await listStoredParts(sql, record.id)).find((stored) => stored.number === number);
  if (part === undefined) {
    const isToCome = record.state === 'QUEUED' || record.state === 'RUNNING';
    if (isToCome && (record.partsTotal === 0 || number <= record.partsTotal)) {
      throw new DomainError('EXPORT_NOT_READY', `Part ${number} is not stored yet. Try again later.`);
    }
    throw new DomainError('EXPORT_PART_NOT_FOUND', `The export has no part ${number}.`);
  }
  return {
    part,
    directory: exportDirectory(settings.exportDir, record.uuid),
    name: `${record.dataset}_${dayOf(record.from)}_${dayOf(record.to)}_part-${number}.${record.format}`,
    format: record.format,
  };
}

/**
 * Removes an export and its files. A worker that is making it stops at its next part.
 * @throws {DomainError} EXPORT_NOT_FOUND.
 */
export async function removeExport(deps: ServiceDeps, by: Actor, uuid: string): Promise<void> {
  await deps.sql.begin(async (transaction) => {
    const record = requireFound(await findExport(transaction, exportVisibility(by.caller), uuid), uuid);
    await deleteExport(transaction, record.id);
    await audit(transaction, by, auditTarget(record, 'delete'));
  });
  // A file that is being written now is removed by the sweep.
  await dropExportFiles(deps.settings.exportDir, uuid.toLowerCase());
}

function dayOf(time: Date): string {
  return time.toISOString().slice(0, 10);
}

function requireFound(record: ExportRecord | null, uuid: string): ExportRecord {
  if (record === null) throw new DomainError('EXPORT_NOT_FOUND', `There is no export ${uuid}.`);
  return record;
}

function auditTarget(record: ExportRecord, action: string) {
  const { uuid, dataset, format, by, from, to, networkIds } = record;
  return {
    networkId: networkIds.length === 1 ? (networkIds[0] ?? null) : null,
    category: 'export',
    action,
    resourceId: uuid,
    resourceName: dataset,
    description: `export of ${dataset}: ${action}`,
    details: { format, by, from: from.toISOString(), to: to.toISOString(), networkIds },
  };
}
