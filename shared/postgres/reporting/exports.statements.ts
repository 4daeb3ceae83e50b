import type { NetworkScope } from '#shared/domain/access/tenancy.ts';
import type { ExportDataset, ExportSelection, ExportState } from '#shared/domain/reporting/export.ts';
import type { Queryable } from '#shared/postgres/kernel/client.ts';

/** An export, with the sums of its parts. */
export interface ExportRecord extends ExportSelection {
  id: bigint;
  uuid: string;
  networkUuids: string[];
  state: ExportState;
  failure: string | null;
  createdByName: string | null;
  createdAt: Date;
  startedAt: Date | null;
  endedAt: Date | null;
  expiresAt: Date | null;
  partsTotal: number;
  partsStored: number;
  rows: bigint;
  sizeBytes: bigint;
}

/** A stored part of an export. */
export interface ExportPart {
  number: number;
  from: Date;
  to: Date;
  fileName: string;
  rows: bigint;
  sizeBytes: bigint;
  sha256: string;
}

/** Exports that a caller sees: of datasets that it may read, and of no network beyond its own. */
export interface ExportVisibility {
  networks: NetworkScope;
  datasets: readonly ExportDataset[];
}

const columns = (sql: Queryable) => sql`
  e.id, e.uuid, e.network_ids as "networkIds", e.dataset, e.format, e.range_by as "by", e.range_from as "from",
  e.range_to as "to", e.state, e.failure, e.created_by_name as "createdByName", e.created_at as "createdAt",
  e.started_at as "startedAt", e.ended_at as "endedAt", e.expires_at as "expiresAt",
  array(select n.uuid from networks n where n.id = any(e.network_ids) order by n.id) as "networkUuids",
  p.total as "partsTotal", p.stored as "partsStored", p.rows, p.size as "sizeBytes"`;

const tables = (sql: Queryable) => sql`
  exports e cross join lateral (
    select count(*)::integer as total, count(stored_at)::integer as stored,
      coalesce(sum(rows), 0)::bigint as rows, coalesce(sum(size_bytes), 0)::bigint as size
    from export_parts where export_id = e.id
  ) p`;

const visible = (sql: Queryable, { networks, datasets }: ExportVisibility) => sql`
  e.dataset = any(${[...datasets]}::text[])
  ${networks.all ? sql`` : sql`and e.network_ids <@ ${[...networks.networkIds]}::integer[]`}`;

/** Queues an export. */
export async function insertExport(
  sql: Queryable,
  selection: ExportSelection,
  creator: { uuid: string; name: string | null },
): Promise<string> {
  const { networkIds, dataset, format, by, from, to } = selection;
  const [row] = await sql<{ uuid: string }[]>`
    insert into exports (network_ids, dataset, format, range_by, range_from, range_to, created_by, created_by_name)
    values (${[...networkIds]}, ${dataset}, ${format}, ${by}, ${from}, ${to}, ${creator.uuid}, ${creator.name})
    returning uuid`;
  if (row === undefined) throw new Error('the insert of an export returned no row');
  return row.uuid;
}

/** Counts the exports of a creator that are queued or run. */
export async function countUnfinishedExports(sql: Queryable, createdBy: string): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::integer as count from exports
    where state in ('QUEUED', 'RUNNING') and created_by = ${createdBy}`;
  return row?.count ?? 0;
}

/** Returns one visible export, or null. */
export async function findExport(
  sql: Queryable,
  visibility: ExportVisibility,
  uuid: string,
): Promise<ExportRecord | null> {
  const [row] = await sql<ExportRecord[]>`
    select ${columns(sql)} from ${tables(sql)} where e.uuid = ${uuid} and ${visible(sql, visibility)}`;
  return row ?? null;
}

/** Returns visible exports after a place, newest first. */
export async function listExports(
  sql: Queryable,
  visibility: ExportVisibility,
  state: ExportState | undefined,
  after: { time: Date; id: string } | null,
  limit: number,
): Promise<ExportRecord[]> {
  return sql<ExportRecord[]>`
    select ${columns(sql)} from ${tables(sql)}
    where ${visible(sql, visibility)}
      ${state === undefined ? sql`` : sql`and e.state = ${state}`}
      ${
        after === null
          ? sql``
          : sql`and (date_trunc('milliseconds', e.created_at), e.id) < (${after.time}, ${after.id}::text::bigint)`
      }
    order by date_trunc('milliseconds', e.created_at) desc, e.id desc limit ${limit}`;
}

/** Returns the stored parts of an export, in order. */
export async function listStoredParts(sql: Queryable, exportId: bigint): Promise<ExportPart[]> {
  return sql<ExportPart[]>`
    select number, range_from as "from", range_to as "to", file_name as "fileName", rows, size_bytes as "sizeBytes",
      sha256
    from export_parts where export_id = ${String(exportId)}::bigint and file_name is not null order by number`;
}

/** Removes an export. Its files are removed by the sweep. */
export async function deleteExport(sql: Queryable, id: bigint): Promise<void> {
  await sql`delete from exports where id = ${String(id)}::bigint`;
}

/** Returns those of these exports whose files are still needed. */
export async function listKeptExports(sql: Queryable, uuids: readonly string[]): Promise<Set<string>> {
  const rows = await sql<{ uuid: string }[]>`
    select uuid from exports where uuid = any(${[...uuids]}::uuid[]) and state <> 'EXPIRED'`;
  return new Set(rows.map(({ uuid }) => uuid));
}

/** Returns the names of the files that an export's parts have. */
export async function listPartFiles(sql: Queryable, uuid: string): Promise<Set<string>> {
  const rows = await sql<{ fileName: string }[]>`
    select p.file_name as "fileName" from export_parts p join exports e on e.id = p.export_id
    where e.uuid = ${uuid} and p.file_name is not null`;
  return new Set(rows.map(({ fileName }) => fileName));
}

/** Returns the size of all stored parts in bytes. */
export async function storedExportBytes(sql: Queryable): Promise<bigint> {
  const [row] = await sql<{ size: bigint }[]>`
    select coalesce(sum(size_bytes), 0)::bigint as size from export_parts where file_name is not null`;
  return row?.size ?? 0n;
}

/** Returns the uuids of chargers, removed ones too, by id. */
export async function listChargerUuids(sql: Queryable, ids: readonly number[]): Promise<Map<number, string>> {
  const rows = await sql<{ id: number; uuid: string }[]>`
    select id, uuid from chargers where id = any(${[...ids]}::integer[])`;
  return new Map(rows.map(({ id, uuid }) => [id, uuid]));
}

/** Returns the uuids of networks, removed ones too, by id. */
export async function listNetworkUuids(sql: Queryable, ids: readonly number[]): Promise<Map<number, string>> {
  const rows = await sql<{ id: number; uuid: string }[]>`
    select id, uuid from networks where id = any(${[...ids]}::integer[])`;
  return new Map(rows.map(({ id, uuid }) => [id, uuid]));
}
