import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { importPasses, type ImportFault, importScopes } from '#shared/domain/imports/import.ts';
import { DomainError } from '#shared/domain/kernel/errors.ts';
import {
  earlierUseOf,
  type EarlierUse,
  type ImportWork,
  lockImportWork,
  nextImportRows,
  type PendingRow,
  recordRow,
  type RowResult,
} from '#shared/postgres/imports/import-work.ts';
import { countImportRows, moveImport } from '#shared/postgres/imports/imports.statements.ts';
import { isLockConflict, isPostgresDown, type Transaction } from '#shared/postgres/kernel/client.ts';
import { nestedSql } from '#shared/postgres/kernel/nested-sql.ts';
import { type Actor, audit } from '#api/services/access/audit.ts';
import { creatorOfJob } from '#api/services/commands/bulk-job-creators.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import { readRow } from './cells.ts';
import { auditedImport } from './imports.service.ts';
import {
  type CreatedRecord,
  type ImportColumn,
  type ImportKind,
  RowError,
  type RowContext,
  type RowValues,
} from './kind.ts';

/** Dependencies of the processing of rows. */
export interface ImportRunDeps extends ServiceDeps {
  log: { warn(details: object, message: string): void };
}

/** Rows of one transaction: they share its cost, and their locks are held for a fraction of a second. */
const rowsAtOnce = 25;

/**
 * Processes the rows of an import until none is left. Some rows are one transaction with their results, so rows of a process that died are
 * repeated and none is applied twice. Processes take turns: one that finds another at work leaves it the import.
 */
export async function runImport(
  deps: ImportRunDeps,
  kinds: readonly ImportKind[],
  importId: number,
  isStopping: () => boolean,
): Promise<void> {
  let hasMore = true;
  while (hasMore && !isStopping()) hasMore = await processNext(deps, kinds, importId, isStopping);
}

async function processNext(
  deps: ImportRunDeps,
  kinds: readonly ImportKind[],
  importId: number,
  isStopping: () => boolean,
): Promise<boolean> {
  return deps.sql.begin(async (transaction) => {
    const work = await lockImportWork(transaction, importId);
    if (work === null) return false;
    const by = await actorOf({ ...deps, sql: nestedSql(transaction) }, work);
    if (by instanceof DomainError) {
      await moveImport(transaction, work.id, 'stopped', by.code);
      return false;
    }
    const rows = await nextImportRows(transaction, work.id, rowsAtOnce);
    for (const row of rows) {
      if (isStopping()) break;
      await recordRow(transaction, row.id, await resultOf(deps, kinds, transaction, work, row, by));
    }
    if (rows.length === 0) await finish(transaction, work, by);
    return rows.length > 0;
  });
}

async function actorOf(deps: ImportRunDeps, work: ImportWork): Promise<Actor | DomainError> {
  try {
    const caller = await creatorOfJob(deps, work, importScopes[work.kind]);
    return { caller, ipAddress: work.ipAddress, importId: work.uuid };
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
}

/** Ends a pass. The end of an import is an entry in the audit log. */
async function finish(transaction: Transaction, work: ImportWork, by: Actor): Promise<void> {
  await moveImport(transaction, work.id, importPasses[work.state]);
  if (work.state !== 'APPLYING') return;
  const { pending: _pending, ...rows } = await countImportRows(transaction, work.id);
  await audit(transaction, by, {
    ...auditedImport(work, 'complete'),
    description: `import of ${work.kind} ${work.uuid}: complete`,
    details: { rows },
  });
}

async function resultOf(
  deps: ImportRunDeps,
  kinds: readonly ImportKind[],
  transaction: Transaction,
  work: ImportWork,
  row: PendingRow,
  by: Actor,
): Promise<RowResult> {
  const kind = kinds.find(({ name }) => name === work.kind);
  if (kind === undefined) throw new Error(`no kind of import is named ${work.kind}`);
  const cells = JSON.parse(deps.secrets.open(row.sealedCells, row.sealingKey)) as string[];
  const { values, faults } = readRow(kind, work, cells);
  const digests = {
    key: digestOf(kind, values, ({ isKey }) => isKey),
    unique: digestOf(kind, values, ({ isUnique }) => isUnique),
  };
  const failed = (errors: ImportFault[]): RowResult => ({
    outcome: 'failed',
    digests,
    resourceUuid: null,
    sealed: null,
    errors,
  });
  const keyUse = digests.key && (await earlierUseOf(transaction, work.id, digests.key));
  if (keyUse !== null) faults.push(repeatedFault(kind, 'key', keyUse));
  const uniqueUse = digests.unique && (await earlierUseOf(transaction, work.id, digests.unique));
  if (uniqueUse !== null) faults.push(repeatedFault(kind, 'unique', uniqueUse));
  if (faults.length > 0) return failed(faults);
  try {
    const { outcome, uuid, password } = await apply(deps, kind, transaction, work, values, by);
    return {
      outcome,
      digests,
      // A dry run created nothing.
      resourceUuid: work.state === 'CHECKING' && outcome === 'created' ? null : uuid,
      sealed: work.state === 'CHECKING' || password === undefined ? null : sealed(deps, cells, password),
      errors: null,
    };
  } catch (error) {
    return failed(faultsOf(deps, kind, work, row, error));
  }
}

/** Returns the fault of a row whose value an earlier row has in the same column or, as a serial and a common name, in the other one. */
function repeatedFault(
  { columns }: ImportKind,
  value: EarlierUse['value'],
  earlier: EarlierUse,
): ImportFault {
  const isWanted = (column: ImportColumn) => (value === 'key' ? column.isKey : column.isUnique);
  const [column = null] = Object.entries(columns).find(([, each]) => isWanted(each)) ?? [];
  return value === 'key' && earlier.value === 'key'
    ? { column, code: 'IMPORT_KEY_REPEATED', message: `identifies the same record as line ${earlier.line}` }
    : {
        column,
        code: 'IMPORT_VALUE_REPEATED',
        message: `is a value of line ${earlier.line}: it must be unique`,
      };
}

/** Seals a password with the cells of its row, which have one key. */
function sealed({ secrets }: ImportRunDeps, cells: string[], password: string) {
  return { cells: secrets.seal(JSON.stringify(cells)), password: secrets.seal(password), key: secrets.id };
}

/** Result of a row that was applied. */
interface Applied extends CreatedRecord {
  outcome: 'created' | 'changed' | 'unchanged';
}

/** Ends the savepoint of a dry run with its result. */
class DryRun extends Error {
  readonly result: Applied;

  constructor(result: Applied) {
    super('dry run');
    this.result = result;
  }
}

/** Applies a row within a savepoint. A dry run does the same, and then reverts it. */
async function apply(
  deps: ImportRunDeps,
  kind: ImportKind,
  transaction: Transaction,
  work: ImportWork,
  values: RowValues,
  by: Actor,
): Promise<Applied> {
  try {
    return await transaction.savepoint<Applied>(async (savepoint) => {
      const context = {
        deps: { ...deps, sql: nestedSql(savepoint) },
        by,
        network: { id: work.networkId, uuid: work.networkUuid },
      };
      const result = await write(kind, context, values);
      if (work.state === 'CHECKING') throw new DryRun(result);
      return result;
    });
  } catch (error) {
    if (error instanceof DryRun) return error.result;
    throw error;
  }
}

/** Creates the record of a row, or changes its differing fields. */
async function write(kind: ImportKind, context: RowContext, values: RowValues): Promise<Applied> {
  const found = await kind.find(context, values);
  if (found === null) requireComplete(kind, values);
  const fields = await kind.fields(context, values, found);
  if (found === null) return { outcome: 'created', ...(await kind.create(context, fields)) };
  const { uuid } = found;
  const differing = Object.entries(fields).filter(
    ([name, value]) => !isDeepStrictEqual(value, found.fields[name]),
  );
  if (differing.length === 0) return { outcome: 'unchanged', uuid };
  await kind.change(context, uuid, Object.fromEntries(differing));
  return { outcome: 'changed', uuid };
}

/** @throws {RowError} VALIDATION_FAILED for each missing column. */
function requireComplete({ columns }: ImportKind, values: RowValues): void {
  const missing = Object.keys(columns).filter(
    (name) => columns[name]?.isRequired === true && values[name] === undefined,
  );
  if (missing.length === 0) return;
  throw new RowError(
    missing.map((column) => ({
      column,
      code: 'VALIDATION_FAILED',
      message: 'is required for a new record',
    })),
  );
}

/** Returns a digest of the values of some columns in any case, or null when one is absent. */
function digestOf(
  { columns }: ImportKind,
  values: RowValues,
  isWanted: (column: ImportColumn) => boolean,
): Buffer | null {
  const key = Object.entries(columns)
    .filter(([, column]) => isWanted(column))
    .map(([name]) => values[name]);
  if (key.length === 0 || key.includes(undefined)) return null;
  return createHash('sha256').update(JSON.stringify(key).toLowerCase()).digest();
}

/** Returns the faults that an error of a row stands for. Errors of the store end the run, which is repeated. */
function faultsOf(
  { log }: ImportRunDeps,
  kind: ImportKind,
  work: ImportWork,
  { line }: PendingRow,
  error: unknown,
): ImportFault[] {
  if (error instanceof RowError) return error.faults;
  if (!(error instanceof DomainError)) {
    if (isPostgresDown(error) || isLockConflict(error)) throw error;
    log.warn({ err: error, import: work.uuid, line }, 'a row of an import failed unexpectedly');
    return [{ column: null, code: 'INTERNAL_ERROR', message: 'failed unexpectedly: see the log of the API' }];
  }
  const fields = (error.details?.['errors'] ?? []) as { field: string; message: string }[];
  if (fields.length === 0) return [{ column: null, code: error.code, message: error.message }];
  return fields.map(({ field, message }) => {
    const column = kind.columns[field] === undefined ? null : field;
    return { column, code: error.code, message: column === null ? `${field} ${message}` : message };
  });
}
