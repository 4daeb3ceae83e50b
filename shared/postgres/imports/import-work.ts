import {
  importDays,
  type ImportFault,
  type ImportKindName,
  type ImportOutcome,
  type ImportPass,
  importPassStates,
  importTransitions,
} from '#shared/domain/imports/import.ts';
import type { Fragment, Queryable, Sql, Transaction } from '#shared/postgres/kernel/client.ts';
import { type ImportMapping, moveImport } from './imports.statements.ts';

/** An import with what a worker needs to process its rows. */
export interface ImportWork {
  id: number;
  uuid: string;
  networkId: number;
  networkUuid: string;
  kind: ImportKindName;
  state: ImportPass;
  separator: string;
  header: string[];
  mapping: ImportMapping;
  /** Hash of the secret of the key that created it; null: an operator did. */
  creatorKeyHash: Buffer | null;
  creatorOperatorUuid: string | null;
  ipAddress: string;
}

/** Row to process. */
export interface PendingRow {
  id: bigint;
  line: number;
  sealedCells: Buffer;
  sealingKey: string;
}

const isInProgress = (sql: Queryable) => sql`state = any(${[...importPassStates]}::text[])`;

/** Condition that there is an import to process. */
export const areImportsDue = (sql: Sql): Fragment =>
  sql`exists (select from imports where ${isInProgress(sql)})`;

const workColumns = (sql: Queryable) => sql`
  i.id, i.uuid, i.network_id as "networkId", n.uuid as "networkUuid", i.kind, i.state, i.separator, i.header, i.mapping,
  k.secret_hash as "creatorKeyHash", o.uuid as "creatorOperatorUuid", i.ip_address as "ipAddress"
  from imports i join networks n on n.id = i.network_id
  left join api_keys k on k.id = i.created_by_key_id
  left join operators o on o.id = i.created_by_operator_id`;

/** Returns the oldest imports in progress. */
export async function listImportWork(sql: Sql, limit: number): Promise<ImportWork[]> {
  return sql<
    ImportWork[]
  >`select ${workColumns(sql)} where i.${isInProgress(sql)} order by i.id limit ${limit}`;
}

/** Locks an import in progress until the end of the transaction: one process at a time works on it. Null: it has ended, or another process is at work. */
export async function lockImportWork(transaction: Transaction, id: number): Promise<ImportWork | null> {
  const [row] = await transaction<ImportWork[]>`
    select ${workColumns(transaction)}
    where i.id = ${id} and i.${isInProgress(transaction)} for update of i skip locked`;
  return row ?? null;
}

/** Returns the next rows that have no outcome in the pass. */
export function nextImportRows(
  transaction: Transaction,
  importId: number,
  limit: number,
): Promise<PendingRow[]> {
  return transaction<PendingRow[]>`
    select id, line, sealed_cells as "sealedCells", sealing_key as "sealingKey" from import_rows
    where import_id = ${importId} and outcome = 'pending' order by line limit ${limit}`;
}

/** Digests of the values of a row that another record may have. Null: the row lacks the value. */
export interface RowDigests {
  /** Natural key. */
  key: Buffer | null;
  /** Another value that no two records have. */
  unique: Buffer | null;
}

/** Earlier row of the pass with the digest of a value. */
export interface EarlierUse {
  line: number;
  value: keyof RowDigests;
}

/** Returns the first earlier row of the pass that has a value, as its natural key or as its other unique value, or null. */
export async function earlierUseOf(
  transaction: Transaction,
  importId: number,
  digest: Buffer,
): Promise<EarlierUse | null> {
  const [row] = await transaction<EarlierUse[]>`
    select line, case when key_digest = ${digest} then 'key' else 'unique' end as value from import_rows
    where import_id = ${importId} and (key_digest = ${digest} or unique_digest = ${digest}) order by line limit 1`;
  return row ?? null;
}

/** Result of a row. */
export interface RowResult {
  outcome: Exclude<ImportOutcome, 'pending'>;
  digests: RowDigests;
  resourceUuid: string | null;
  /** Generated password, and the cells sealed with the same key; null: no password was generated. */
  sealed: { cells: Buffer; password: Buffer; key: string } | null;
  errors: ImportFault[] | null;
}

/** Stores the result of a row. */
export async function recordRow(
  transaction: Transaction,
  rowId: bigint,
  { outcome, digests, resourceUuid, sealed, errors }: RowResult,
): Promise<void> {
  await transaction`
    update import_rows set outcome = ${outcome}, key_digest = ${digests.key}, unique_digest = ${digests.unique}, resource_uuid = ${resourceUuid},
      errors = ${errors === null ? null : transaction.json(errors as never)}
      ${
        sealed === null
          ? transaction``
          : transaction`, sealed_cells = ${sealed.cells}, sealed_password = ${sealed.password}, sealing_key = ${sealed.key}`
      }
    where id = ${String(rowId)}::bigint`;
}

/** Removes the rows of imports that have not changed for some days, and returns the number of imports. */
export async function expireImports(sql: Sql): Promise<number> {
  const past = await sql<{ id: number }[]>`
    select id from imports
    where state <> 'EXPIRED' and state = any(${[...importTransitions.expired.from]}::text[])
      and state_at < now() - make_interval(days => ${importDays})
    order by state_at limit 100`;
  let expired = 0;
  for (const { id } of past) {
    expired += await sql.begin(async (transaction) => {
      if (!(await moveImport(transaction, id, 'expired'))) return 0;
      await transaction`delete from import_rows where import_id = ${id}`;
      return 1;
    });
  }
  return expired;
}
