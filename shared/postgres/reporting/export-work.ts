import {
  type ExportEvent,
  type ExportSelection,
  exportTransitions,
} from '#shared/domain/reporting/export.ts';
import type { Fragment, Queryable, Sql, Transaction } from '#shared/postgres/kernel/client.ts';

/** Time in seconds after which a worker that does not extend its claim counts as dead. */
const leaseSeconds = 60;

/** An export that a worker holds. */
export interface ClaimedExport extends ExportSelection {
  id: bigint;
  uuid: string;
  state: 'QUEUED' | 'RUNNING';
  /** Claims since the last part was stored, this one included. */
  attempts: number;
  /** The claim: a claim of another worker ends it. */
  worker: string;
}

/** A range of rows that becomes one file. */
export interface PlannedPart {
  number: number;
  from: Date;
  to: Date;
}

/** A written file with its measures. */
export interface StoredFile {
  fileName: string;
  rows: number;
  sizeBytes: number;
  sha256: string;
}

const claimable = (sql: Queryable) => sql`
  state in ('QUEUED', 'RUNNING') and next_attempt_at <= now() and (leased_until is null or leased_until < now())`;

/** The condition that an export waits for a worker. */
export const areExportsDue = (sql: Sql): Fragment =>
  sql`exists (select from exports where ${claimable(sql)})`;

/** Claims the oldest export that no worker holds, or null. */
export async function claimExport(sql: Queryable, worker: string): Promise<ClaimedExport | null> {
  const [row] = await sql<ClaimedExport[]>`
    update exports set worker = ${worker}, leased_until = now() + make_interval(secs => ${leaseSeconds}),
      attempts = attempts + 1
    where id = (select id from exports where ${claimable(sql)} order by id limit 1 for update skip locked)
    returning id, uuid, network_ids as "networkIds", dataset, format, range_by as "by", range_from as "from",
      range_to as "to", state, attempts, worker`;
  return row ?? null;
}

/** Extends a claim; false when it was lost or the export is gone. */
export async function extendClaim(sql: Queryable, { id, worker }: ClaimedExport): Promise<boolean> {
  const rows = await sql`
    update exports set leased_until = now() + make_interval(secs => ${leaseSeconds})
    where id = ${String(id)}::bigint and worker = ${worker} and state in ('QUEUED', 'RUNNING') returning 1`;
  return rows.length > 0;
}

/** Gives a claim back, to be made again after a pause. Attempts that a stop of the process ended do not count. */
export async function releaseClaim(
  sql: Queryable,
  { id, worker }: ClaimedExport,
  pauseSeconds: number | null,
): Promise<void> {
  await sql`
    update exports set leased_until = null, worker = null,
      attempts = attempts - ${pauseSeconds === null ? 1 : 0},
      next_attempt_at = now() + make_interval(secs => ${pauseSeconds ?? 0})
    where id = ${String(id)}::bigint and worker = ${worker}`;
}

/** Stores the parts of a claimed export, which runs from then on. False: the claim was lost. */
export async function startExport(
  transaction: Transaction,
  claimed: ClaimedExport,
  parts: readonly PlannedPart[],
): Promise<boolean> {
  if (!(await moveExport(transaction, claimed, 'started'))) return false;
  const rows = parts.map(({ number, from, to }) => ({
    export_id: String(claimed.id),
    number,
    range_from: from,
    range_to: to,
  }));
  for (let at = 0; at < rows.length; at += 1000) {
    await transaction`insert into export_parts ${transaction(rows.slice(at, at + 1000))}`;
  }
  return true;
}

/** Returns the first part of an export without a file; null when all are stored. */
export async function findNextPart(sql: Queryable, exportId: bigint): Promise<PlannedPart | null> {
  const [row] = await sql<PlannedPart[]>`
    select number, range_from as "from", range_to as "to" from export_parts
    where export_id = ${String(exportId)}::bigint and stored_at is null order by number limit 1`;
  return row ?? null;
}

/** Stores the file of a part; false when the claim was lost, so that the file is another worker's to make. */
export async function storePart(
  transaction: Transaction,
  claimed: ClaimedExport,
  number: number,
  { fileName, rows, sizeBytes, sha256 }: StoredFile,
): Promise<boolean> {
  const held = await transaction`
    update exports set attempts = 0
    where id = ${String(claimed.id)}::bigint and worker = ${claimed.worker} and state = 'RUNNING' returning 1`;
  if (held.length === 0) return false;
  await transaction`
    update export_parts set file_name = ${fileName}, rows = ${rows}, size_bytes = ${sizeBytes}, sha256 = ${sha256},
      stored_at = now()
    where export_id = ${String(claimed.id)}::bigint and number = ${number}`;
  return true;
}

/** Ends a claimed export, whose files are kept for some days. False: the claim was lost. */
export async function endExport(
  sql: Queryable,
  claimed: ClaimedExport,
  failure: string | null,
  keptDays: number,
): Promise<boolean> {
  const isMoved = await moveExport(sql, claimed, failure === null ? 'finished' : 'failed');
  if (!isMoved) return false;
  await sql`
    update exports set failure = ${failure}, ended_at = now(), worker = null, leased_until = null,
      expires_at = now() + make_interval(days => ${keptDays})
    where id = ${String(claimed.id)}::bigint`;
  return true;
}

/** Expires the exports whose time has passed, and forgets their files; returns their number. */
export async function expireExports(sql: Sql): Promise<number> {
  const { from, to } = exportTransitions.expired;
  const rows = await sql`
    with expired as (
      update exports set state = ${to} where state = any(${[...from]}::text[]) and expires_at <= now() returning id
    ), forgotten as (
      update export_parts set file_name = null where export_id in (select id from expired)
    )
    select id from expired`;
  return rows.length;
}

async function moveExport(
  sql: Queryable,
  { id, worker }: ClaimedExport,
  event: ExportEvent,
): Promise<boolean> {
  const { from, to } = exportTransitions[event];
  const rows = await sql`
    update exports set state = ${to}, started_at = coalesce(started_at, now())
    where id = ${String(id)}::bigint and worker = ${worker} and state = any(${[...from]}::text[]) returning 1`;
  return rows.length > 0;
}
