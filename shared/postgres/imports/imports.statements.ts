import type { NetworkScope } from '#shared/domain/access/tenancy.ts';
import {
  type ImportEvent,
  type ImportFault,
  type ImportKindName,
  importOutcomes,
  type ImportOutcome,
  type ImportState,
  importTransitions,
} from '#shared/domain/imports/import.ts';
import type { Queryable, Transaction } from '#shared/postgres/kernel/client.ts';
import { inScope } from '#shared/postgres/kernel/scope.statements.ts';

/** Column of the file for each column of the kind. */
export type ImportMapping = Record<string, string>;

/** An import as the API shows it. */
export interface ImportRecord {
  id: number;
  uuid: string;
  networkId: number;
  networkUuid: string;
  kind: ImportKindName;
  state: ImportState;
  fileName: string;
  separator: string;
  header: string[];
  mapping: ImportMapping;
  total: number;
  creatorName: string | null;
  createdAt: Date;
  stateAt: Date;
  endedAt: Date | null;
}

/** Number of rows by outcome. */
export type ImportCounts = Record<ImportOutcome, number>;

/** Imports that a caller sees. */
export interface ImportVisibility {
  networks: NetworkScope;
  kinds: readonly ImportKindName[];
}

/** Fields of a new import. */
export interface NewImport {
  networkId: number;
  kind: ImportKindName;
  fileName: string;
  separator: string;
  header: readonly string[];
  mapping: ImportMapping;
  createdByKeyId: number | null;
  createdByOperatorId: number | null;
  creatorName: string | null;
  ipAddress: string;
}

const columns = (sql: Queryable) => sql`
  i.id, i.uuid, i.network_id as "networkId", n.uuid as "networkUuid", i.kind, i.state, i.file_name as "fileName", i.separator,
  i.header, i.mapping, i.total, i.creator_name as "creatorName", i.created_at as "createdAt", i.state_at as "stateAt",
  i.ended_at as "endedAt"`;

const visible = (sql: Queryable, { networks, kinds }: ImportVisibility) => sql`
  ${inScope(sql, 'i.network_id', networks)} and i.kind = any(${[...kinds]}::text[]) and i.state <> 'RECEIVING'`;

/** Stores an import whose rows are being received, and returns its keys. */
export async function insertImport(sql: Queryable, given: NewImport): Promise<{ id: number; uuid: string }> {
  const [row] = await sql<{ id: number; uuid: string }[]>`
    insert into imports (network_id, kind, file_name, separator, header, mapping, created_by_key_id,
      created_by_operator_id, creator_name, ip_address)
    values (${given.networkId}, ${given.kind}, ${given.fileName}, ${given.separator}, ${sql.json([...given.header])},
      ${sql.json(given.mapping)}, ${given.createdByKeyId}, ${given.createdByOperatorId}, ${given.creatorName},
      ${given.ipAddress})
    returning id, uuid`;
  if (row === undefined) throw new Error('the insert of an import returned no row');
  return row;
}

/** Adds rows of the file to an import. */
export async function insertImportRows(
  sql: Queryable,
  importId: number,
  sealingKey: string,
  rows: readonly { line: number; sealedCells: Buffer }[],
): Promise<void> {
  const stored = rows.map(({ line, sealedCells }) => ({
    import_id: importId,
    line,
    sealed_cells: sealedCells,
    sealing_key: sealingKey,
  }));
  await sql`insert into import_rows ${sql(stored)}`;
}

/** Removes an import whose file was refused. */
export async function removeImport(sql: Queryable, id: number): Promise<void> {
  await sql`delete from imports where id = ${id}`;
}

/** Stores the number of rows of a received file. */
export async function setImportTotal(sql: Queryable, id: number, total: number): Promise<void> {
  await sql`update imports set total = ${total} where id = ${id}`;
}

/** Returns the imports that a caller sees before a position, newest first. */
export async function listImports(
  sql: Queryable,
  visibility: ImportVisibility,
  before: number | null,
  limit: number,
): Promise<ImportRecord[]> {
  return sql<ImportRecord[]>`
    select ${columns(sql)} from imports i join networks n on n.id = i.network_id
    where ${visible(sql, visibility)} and (${before}::integer is null or i.id < ${before}::integer)
    order by i.id desc limit ${limit}`;
}

/** One import that a caller sees, or null. `lock`: for a change in this transaction. */
export async function findImport(
  sql: Queryable,
  visibility: ImportVisibility,
  uuid: string,
  lock = false,
): Promise<ImportRecord | null> {
  const [row] = await sql<ImportRecord[]>`
    select ${columns(sql)} from imports i join networks n on n.id = i.network_id
    where i.uuid = ${uuid} and ${visible(sql, visibility)} ${lock ? sql`for update of i` : sql``}`;
  return row ?? null;
}

/** Counts the rows of an import by outcome. */
export async function countImportRows(sql: Queryable, id: number): Promise<ImportCounts> {
  const rows = await sql<{ outcome: ImportOutcome; count: number }[]>`
    select outcome, count(*)::integer as count from import_rows where import_id = ${id} group by outcome`;
  const counts = new Map(rows.map(({ outcome, count }) => [outcome, count]));
  return Object.fromEntries(importOutcomes.map((name) => [name, counts.get(name) ?? 0])) as ImportCounts;
}

/** Row of an import with its result. */
export interface ImportRowRecord {
  id: bigint;
  line: number;
  sealedCells: Buffer;
  sealedPassword: Buffer | null;
  sealingKey: string;
  outcome: ImportOutcome;
  resourceUuid: string | null;
  errors: ImportFault[] | null;
}

/**
 * Returns rows of an import after a line, in the order of the file.
 * @param only outcome of the rows, or `password` for those with a generated password.
 */
export async function listImportRows(
  sql: Queryable,
  importId: number,
  only: ImportOutcome | 'password' | undefined,
  afterLine: number,
  limit: number,
): Promise<ImportRowRecord[]> {
  const filter =
    only === undefined
      ? sql``
      : only === 'password'
        ? sql`and sealed_password is not null`
        : sql`and outcome = ${only}`;
  return sql<ImportRowRecord[]>`
    select id, line, sealed_cells as "sealedCells", sealed_password as "sealedPassword", sealing_key as "sealingKey", outcome,
      resource_uuid as "resourceUuid", errors
    from import_rows where import_id = ${importId} and line > ${afterLine} ${filter}
    order by line limit ${limit}`;
}

/** Begins a pass: stores its mapping, and returns all rows to `pending`. */
export async function resetImport(
  transaction: Transaction,
  id: number,
  mapping: ImportMapping,
): Promise<void> {
  await transaction`update imports set mapping = ${transaction.json(mapping)} where id = ${id}`;
  await transaction`
    update import_rows set outcome = 'pending', key_digest = null, unique_digest = null, resource_uuid = null, errors = null, sealed_password = null
    where import_id = ${id} and outcome <> 'pending'`;
}

/** Moves an import to the state that an event enters; false when its state does not allow the event. */
export async function moveImport(
  sql: Queryable,
  id: number,
  event: ImportEvent,
  stopReason: string | null = null,
): Promise<boolean> {
  const { from, to } = importTransitions[event];
  const isEnd = to === 'COMPLETED' || to === 'CANCELLED' || to === 'STOPPED';
  const moved = await sql`
    update imports set state = ${to}, state_at = now(), stop_reason = coalesce(${stopReason}, stop_reason),
      ended_at = case when ${isEnd} then now() else ended_at end
    where id = ${id} and state = any(${[...from]}::text[]) returning id`;
  return moved.length > 0;
}
