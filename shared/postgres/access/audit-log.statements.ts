import type { Page, PageRequest } from '#shared/domain/kernel/page.ts';
import type { NetworkScope } from '#shared/domain/access/tenancy.ts';
import type { Fragment, Queryable, Sql } from '#shared/postgres/kernel/client.ts';
import { inScope } from '#shared/postgres/kernel/scope.statements.ts';
import { storable } from '#shared/postgres/kernel/storable.ts';

/** One entry of the audit log: who did what to which resource, from where. */
export interface NewAuditEntry {
  networkId: number | null;
  category: string;
  action: string;
  resourceId: string | null;
  resourceName: string | null;
  description: string;
  /** With secrets masked. */
  details: Record<string, unknown>;
  apiKeyId: number | null;
  /** User of the key, or the person. */
  userId: string | null;
  userName: string | null;
  ipAddress: string | null;
  /** As the API's log has it; null: it comes from no request. */
  requestId: string | null;
}

/** Adds an entry. None is ever changed, or removed before its retention is over (`past-records.ts`). */
export async function insertAuditEntry(sql: Queryable, entry: NewAuditEntry): Promise<void> {
  await insertInto(sql, entry, sql``, null);
}

/**
 * Adds an entry about what happened outside the database, in a transaction of its own that does not wait for the disk
 * (docs/adr/0049-audit-of-commands.md). PostgreSQL flushes it within 0.6 s; a crash of PostgreSQL or of its machine may lose it
 * until then.
 * @param events common table expressions that write events in the same statement. Null: none.
 */
export async function insertReportedEntry(
  sql: Sql,
  entry: NewAuditEntry,
  events: Fragment | null,
): Promise<void> {
  await insertInto(sql, entry, sql`from set_config('synchronous_commit', 'off', true)`, events);
}

async function insertInto(
  sql: Queryable,
  entry: NewAuditEntry,
  source: Fragment,
  events: Fragment | null,
): Promise<void> {
  await sql`
    ${events === null ? sql`` : sql`with ${events}`}
    insert into audit_log (network_id, category, action, resource_id, resource_name, description, details,
      api_key_id, user_id, user_name, ip_address, request_id)
    select ${entry.networkId}::integer, ${entry.category}::text, ${entry.action}::text, ${entry.resourceId}::text,
      ${entry.resourceName}::text, ${entry.description}::text, ${sql.json(storable(entry.details) as never)}::jsonb,
      ${entry.apiKeyId}::integer, ${entry.userId}::uuid, ${entry.userName}::text, ${entry.ipAddress}::inet,
      ${entry.requestId}::text
    ${source}`;
}

/** Audit log entry, as read. */
export interface AuditEntry {
  id: bigint;
  at: Date;
  category: string;
  action: string;
  resourceId: string | null;
  resourceName: string | null;
  description: string;
  details: Record<string, unknown>;
  userId: string | null;
  userName: string | null;
  ipAddress: string | null;
}

/** Filter of the log. `from` and `to` are inclusive, to the millisecond that is shown. */
export interface AuditFilter {
  category?: string | undefined;
  action?: string | undefined;
  resourceId?: string | undefined;
  /** Operator or API key that acted. */
  userId?: string | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
}

/** Counting and skipping cost time in proportion: from here on an auditor narrows the time instead. */
export const maxCountedEntries = 100_000;

const columns = (sql: Queryable) => sql`
  a.id, a.at, a.category, a.action, a.resource_id as "resourceId", a.resource_name as "resourceName", a.description,
  a.details, a.user_id as "userId", a.user_name as "userName", host(a.ip_address) as "ipAddress"`;

const selected = (
  sql: Queryable,
  scope: NetworkScope,
  { category, action, resourceId, userId, from, to }: AuditFilter,
) => sql`
  ${inScope(sql, 'a.network_id', scope)}
  ${category === undefined ? sql`` : sql`and a.category = ${category}`}
  ${action === undefined ? sql`` : sql`and a.action = ${action}`}
  ${resourceId === undefined ? sql`` : sql`and a.resource_id = ${resourceId}`}
  ${userId === undefined ? sql`` : sql`and a.user_id = ${userId}`}
  ${from === undefined ? sql`` : sql`and a.at >= ${from}`}
  ${to === undefined ? sql`` : sql`and a.at < ${to}::timestamptz + interval '1 millisecond'`}`;

/**
 * One page of the entries in scope, newest first; entries of no network are only in the scope of all networks. `total`
 * stops at `maxCountedEntries`.
 */
export async function listAuditEntries(
  sql: Queryable,
  scope: NetworkScope,
  filter: AuditFilter,
  { page, pageSize }: PageRequest,
): Promise<Page<AuditEntry>> {
  const where = selected(sql, scope, filter);
  const [rows, [count]] = await Promise.all([
    sql<AuditEntry[]>`
      select ${columns(sql)} from audit_log a where ${where}
      order by a.at desc, a.id desc limit ${pageSize} offset ${(page - 1) * pageSize}`,
    sql<{ total: number }[]>`
      select count(*)::integer as total
      from (select from audit_log a where ${where} limit ${maxCountedEntries}) counted`,
  ]);
  return { rows, total: count?.total ?? 0 };
}

/** Audit log entry as an export has it. */
export interface ExportedAuditEntry extends AuditEntry {
  /** Time of the entry, to the microsecond. */
  atText: string;
  networkUuid: string | null;
  requestId: string | null;
}

/** Returns the next `limit` entries in scope, oldest first. */
export async function listExportedAuditEntries(
  sql: Queryable,
  scope: NetworkScope,
  filter: AuditFilter,
  after: Pick<ExportedAuditEntry, 'id' | 'atText'> | null,
  limit: number,
): Promise<ExportedAuditEntry[]> {
  const beyond =
    after === null
      ? sql``
      : sql`and a.at >= ${after.atText}::text::timestamptz
          and (a.at, a.id) > (${after.atText}::text::timestamptz, ${String(after.id)}::bigint)`;
  return sql<ExportedAuditEntry[]>`
    select ${columns(sql)}, a.at::text as "atText", n.uuid as "networkUuid", a.request_id as "requestId"
    from audit_log a left join networks n on n.id = a.network_id
    where ${selected(sql, scope, filter)} ${beyond}
    order by a.at, a.id limit ${limit}`;
}
