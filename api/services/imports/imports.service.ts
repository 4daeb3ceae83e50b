import {
  type ImportEvent,
  importKindNames,
  importLimits,
  type ImportKindName,
  type ImportOutcome,
  importScopes,
} from '#shared/domain/imports/import.ts';
import { grants } from '#shared/domain/access/scopes.ts';
import { DomainError } from '#shared/domain/kernel/errors.ts';
import {
  countImportRows,
  findImport,
  type ImportCounts,
  type ImportMapping,
  type ImportRecord,
  type ImportRowRecord,
  type ImportVisibility,
  insertImport,
  insertImportRows,
  listImportRows,
  listImports,
  moveImport,
  removeImport,
  resetImport,
  setImportTotal,
} from '#shared/postgres/imports/imports.statements.ts';
import type { Queryable } from '#shared/postgres/kernel/client.ts';
import { type Actor, audit } from '#api/services/access/audit.ts';
import { type Caller, requireOperator, requireScope } from '#api/services/access/callers.ts';
import { networkForNew, networksOfCall } from '#api/services/access/networks.service.ts';
import { cutById, decodeIdCursor } from '#api/services/kernel/cursors.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import { type CsvFile, type CsvRow, invalidFile, openCsv } from './csv-file.ts';
import type { ImportKind } from './kind.ts';
import { requireMapping, suggestMapping } from './mapping.ts';

export type {
  ImportCounts,
  ImportMapping,
  ImportRecord,
} from '#shared/postgres/imports/imports.statements.ts';

/** Number of rows that are stored at once. */
const rowsAtOnce = 500;

/** An import with its progress. */
export interface ImportWithCounts {
  record: ImportRecord;
  counts: ImportCounts;
}

/** Uploaded file. */
export interface UploadedFile {
  name: string;
  bytes: AsyncIterable<Uint8Array>;
}

/**
 * Stores the rows of a file, sealed, while they arrive. Nothing is imported yet.
 * @throws {DomainError} SCOPE_MISSING, NETWORK_NOT_FOUND, IMPORT_FILE_INVALID, BODY_TOO_LARGE.
 */
export async function uploadImport(
  deps: ServiceDeps,
  by: Actor,
  kind: ImportKind,
  networkUuid: string | undefined,
  file: UploadedFile,
): Promise<ImportWithCounts> {
  const { caller } = by;
  requireOperator(caller);
  requireScope(caller, importScopes[kind.name]);
  const network = await networkForNew(deps, caller, networkUuid);
  const csv = await openCsv(file.bytes);
  const { id, uuid } = await insertImport(deps.sql, {
    networkId: network.id,
    kind: kind.name,
    fileName: file.name,
    separator: csv.separator,
    header: csv.header,
    mapping: suggestMapping(kind, csv.header),
    createdByKeyId: caller.who.kind === 'key' ? caller.who.id : null,
    createdByOperatorId: caller.who.kind === 'operator' ? caller.who.id : null,
    creatorName: caller.who.name,
    ipAddress: by.ipAddress,
  });
  try {
    await setImportTotal(deps.sql, id, await storeRows(deps, id, csv));
  } catch (error) {
    await removeImport(deps.sql, id);
    throw error;
  }
  await deps.sql.begin(async (transaction) => {
    await moveImport(transaction, id, 'received');
    await auditImport(transaction, by, await requireImport(transaction, caller, uuid), 'upload');
  });
  return readImport(deps, caller, uuid);
}

async function storeRows({ sql, secrets }: ServiceDeps, id: number, { rows }: CsvFile): Promise<number> {
  let total = 0;
  let batch: CsvRow[] = [];
  const store = async () => {
    const sealed = batch.map(({ line, cells }) => ({
      line,
      sealedCells: secrets.seal(JSON.stringify(cells)),
    }));
    await insertImportRows(sql, id, secrets.id, sealed);
    batch = [];
  };
  for await (const row of rows) {
    total += 1;
    if (total > importLimits.rows) {
      throw invalidFile(
        `The file has more than ${importLimits.rows.toLocaleString('en')} rows. Split it into several files.`,
      );
    }
    batch.push(row);
    if (batch.length === rowsAtOnce) await store();
  }
  if (total === 0) throw invalidFile('The file has no rows after its header line.');
  if (batch.length > 0) await store();
  return total;
}

/**
 * Lists the imports of kinds that the caller may write, newest first.
 * @throws {DomainError} NETWORK_NOT_FOUND.
 */
export async function readImports(
  deps: ServiceDeps,
  caller: Caller,
  { networkUuid, kind }: { networkUuid: string | undefined; kind: ImportKindName | undefined },
  { cursor, limit }: { cursor: string | undefined; limit: number },
): Promise<{ rows: ImportRecord[]; nextCursor: string | null }> {
  const { kinds } = visibilityOf(caller);
  const visibility = {
    networks: await networksOfCall(deps, caller, networkUuid),
    kinds: kinds.filter((name) => kind === undefined || name === kind),
  };
  return cutById(await listImports(deps.sql, visibility, decodeIdCursor(cursor), limit + 1), limit);
}

/**
 * Returns an import with its progress.
 * @throws {DomainError} IMPORT_NOT_FOUND.
 */
export async function readImport(
  { sql }: ServiceDeps,
  caller: Caller,
  uuid: string,
): Promise<ImportWithCounts> {
  const record = await requireImport(sql, caller, uuid);
  return { record, counts: await countImportRows(sql, record.id) };
}

/** Row with the text of its cells, without secrets. */
export interface ShownRow extends Omit<
  ImportRowRecord,
  'id' | 'sealedCells' | 'sealedPassword' | 'sealingKey'
> {
  cells: string[];
}

/**
 * Returns rows of an import after a line, in the order of the file. Cells of secret columns are empty.
 * @throws {DomainError} IMPORT_NOT_FOUND.
 */
export async function readImportRows(
  deps: ServiceDeps,
  caller: Caller,
  kind: (record: ImportRecord) => ImportKind,
  uuid: string,
  { outcome, afterLine, limit }: { outcome: ImportOutcome | undefined; afterLine: number; limit: number },
): Promise<{ record: ImportRecord; rows: ShownRow[] }> {
  const record = await requireImport(deps.sql, caller, uuid);
  const rows = await listImportRows(deps.sql, record.id, outcome, afterLine, limit);
  const isSecret = secretPlaces(kind(record), record);
  const { length } = record.header;
  const firstSecret = record.header.findIndex((_name, index) => isSecret(index));
  const shownCells = (cells: string[]) => {
    // A separator in a text moves the cells after it to the right: a secret too.
    const isMoved = cells.length > length && firstSecret !== -1;
    return cells.map((cell, index) => (isSecret(index) || (isMoved && index > firstSecret) ? '' : cell));
  };
  return {
    record,
    rows: rows.map(({ line, outcome, resourceUuid, errors, ...sealed }) => ({
      line,
      outcome,
      resourceUuid,
      errors,
      cells: shownCells(cellsOf(deps, sealed)),
    })),
  };
}

/**
 * Returns the rows of an import in batches.
 * @throws {DomainError} IMPORT_NOT_FOUND.
 */
export async function* eachImportRow(
  deps: ServiceDeps,
  caller: Caller,
  kind: (record: ImportRecord) => ImportKind,
  uuid: string,
  outcome: ImportOutcome | undefined,
): AsyncGenerator<ShownRow[], void, undefined> {
  let afterLine = 0;
  for (;;) {
    const { rows } = await readImportRows(deps, caller, kind, uuid, {
      outcome,
      afterLine,
      limit: rowsAtOnce,
    });
    if (rows.length > 0) yield rows;
    if (rows.length < rowsAtOnce) return;
    afterLine = rows.at(-1)?.line ?? afterLine;
  }
}

/**
 * Returns the passwords that an import generated, with the natural key of their records. The read is recorded in the audit log.
 * @throws {DomainError} IMPORT_NOT_FOUND.
 */
export async function readImportPasswords(
  deps: ServiceDeps,
  by: Actor,
  kind: (record: ImportRecord) => ImportKind,
  uuid: string,
): Promise<{ key: string; password: string }[]> {
  const record = await requireImport(deps.sql, by.caller, uuid);
  const [keyColumn = ''] = Object.entries(kind(record).columns).find(([, { isKey }]) => isKey) ?? [];
  const place = record.header.indexOf(record.mapping[keyColumn] ?? '');
  const rows = await listImportRows(deps.sql, record.id, 'password', 0, importLimits.rows);
  await auditImport(deps.sql, by, record, 'read-passwords');
  return rows.flatMap(({ sealedPassword, ...sealed }) =>
    sealedPassword === null
      ? []
      : [
          {
            key: cellsOf(deps, sealed)[place] ?? '',
            password: deps.secrets.open(sealedPassword, sealed.sealingKey),
          },
        ],
  );
}

/**
 * Begins a dry run (`check`) or the import (`apply`) with a mapping; by default the present one. A worker processes the rows.
 * @throws {DomainError} IMPORT_NOT_FOUND, IMPORT_STATE_CONFLICT, VALIDATION_FAILED.
 */
export async function beginImport(
  deps: ServiceDeps,
  by: Actor,
  kind: (record: ImportRecord) => ImportKind,
  uuid: string,
  event: 'check' | 'apply',
  mapping: ImportMapping | undefined,
): Promise<ImportWithCounts> {
  await deps.sql.begin(async (transaction) => {
    const record = await requireImport(transaction, by.caller, uuid, true);
    const chosen = mapping ?? record.mapping;
    requireMapping(kind(record), record, chosen);
    await move(transaction, record, event);
    await resetImport(transaction, record.id, chosen);
    await auditImport(transaction, by, record, event);
  });
  return readImport(deps, by.caller, uuid);
}

/**
 * Cancels an import. Rows that were applied stay.
 * @throws {DomainError} IMPORT_NOT_FOUND, IMPORT_STATE_CONFLICT.
 */
export async function cancelImport(deps: ServiceDeps, by: Actor, uuid: string): Promise<ImportWithCounts> {
  await deps.sql.begin(async (transaction) => {
    const record = await requireImport(transaction, by.caller, uuid, true);
    await move(transaction, record, 'cancel');
    await auditImport(transaction, by, record, 'cancel');
  });
  return readImport(deps, by.caller, uuid);
}

/** Describes an action on an import in the audit log. */
export function auditedImport({ networkId, uuid }: Pick<ImportRecord, 'networkId' | 'uuid'>, action: string) {
  return { networkId, category: 'import', action, resourceId: uuid, resourceName: uuid };
}

async function auditImport(sql: Queryable, by: Actor, record: ImportRecord, action: string): Promise<void> {
  await audit(sql, by, {
    ...auditedImport(record, action),
    description: `import of ${record.kind} ${record.uuid}: ${action}`,
    details: { kind: record.kind, fileName: record.fileName, rows: record.total },
  });
}

/** Returns the imports that a caller sees: imports of kinds that it may write. */
function visibilityOf(caller: Caller): ImportVisibility {
  requireOperator(caller);
  const kinds = importKindNames.filter((kind) => grants(caller.scopes, importScopes[kind]));
  return { networks: caller.networks, kinds };
}

async function requireImport(
  sql: Queryable,
  caller: Caller,
  uuid: string,
  lock = false,
): Promise<ImportRecord> {
  const record = await findImport(sql, visibilityOf(caller), uuid, lock);
  if (record === null) throw new DomainError('IMPORT_NOT_FOUND', `There is no import ${uuid}.`);
  return record;
}

async function move(sql: Queryable, { id, uuid, state }: ImportRecord, event: ImportEvent): Promise<void> {
  if (await moveImport(sql, id, event)) return;
  throw new DomainError(
    'IMPORT_STATE_CONFLICT',
    `The import ${uuid} is ${state}: it does not accept ${event}.`,
  );
}

function cellsOf(
  { secrets }: Pick<ServiceDeps, 'secrets'>,
  { sealedCells, sealingKey }: Pick<ImportRowRecord, 'sealedCells' | 'sealingKey'>,
): string[] {
  return JSON.parse(secrets.open(sealedCells, sealingKey)) as string[];
}

/** Names of columns with passwords in the languages of the console. A file shows none before it is mapped either. */
const secretName = /pass|pwd|kennwort|wachtwoord|secret|authori[sz]ation ?key/i;

/** Returns whether the cells of a column of the file are secret. A kind with secrets shows only columns that are mapped to others. */
function secretPlaces(kind: ImportKind, { header, mapping }: ImportRecord): (index: number) => boolean {
  const suggested = suggestMapping(kind, header);
  const isSecret = (name: string) => kind.columns[name]?.isSecret === true;
  const names = Object.keys(kind.columns);
  if (!names.some(isSecret)) return () => false;
  const placesOf = (chosen: string[]) => new Set(chosen.flatMap((name) => [mapping[name], suggested[name]]));
  const secret = placesOf(names.filter(isSecret));
  const open = placesOf(names.filter((name) => !isSecret(name)));
  return (index) => {
    const name = header[index] ?? '';
    return secret.has(name) || !open.has(name) || secretName.test(name);
  };
}
