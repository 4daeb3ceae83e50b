import type { Sql } from '#shared/postgres/kernel/client.ts';
import { type PastRows, removePast } from '#shared/postgres/kernel/past-rows.ts';

/** Records that are closed at some time, and that no bill rests upon. */
export const closedRecords: readonly PastRows[] = [
  {
    table: 'alerts',
    time: 'opened_at',
    // The cause of an alert that a person resolved may last. Its row keeps the same alert from being opened again.
    isClosed: (
      sql,
      past,
    ) => sql`r.status = 'resolved' and r.resolved_at < ${past} and (r.resolved_by is null or exists (
      select from alerts n where n.kind = r.kind and n.resource_id = r.resource_id and n.subject = r.subject
        and n.last_occurred_at > r.last_occurred_at))`,
  },
  {
    table: 'firmware_updates',
    time: 'created_at',
    isClosed: (sql, past) => sql`r.status_at < ${past}`,
    removeChildren: (sql, ids) =>
      sql`delete from firmware_update_statuses where update_id = any(${ids}::bigint[])`,
  },
  { table: 'firmware_update_statuses', time: 'received_at', isClosed: (sql) => sql`r.update_id is null` },
  {
    table: 'log_uploads',
    time: 'created_at',
    isClosed: (sql, past) => sql`r.status_at < ${past}`,
    removeChildren: (sql, ids) =>
      sql`delete from log_upload_statuses where update_id = any(${ids}::bigint[])`,
  },
  { table: 'log_upload_statuses', time: 'received_at', isClosed: (sql) => sql`r.update_id is null` },
  {
    table: 'reservations',
    time: 'created_at',
    isClosed: (sql, past) => sql`r.status <> 'Active' and r.status_at < ${past}
      and not exists (select from ocpi_commands o where o.reservation_id = r.id)`,
  },
  { table: 'scheduled_charges', time: 'created_at', isClosed: (sql, past) => sql`r.ended_at < ${past}` },
  // The items of a job go with it: one for each charger.
  {
    table: 'bulk_jobs',
    time: 'created_at',
    isClosed: (sql, past) => sql`r.ended_at < ${past}`,
    atOnce: 1,
  },
  {
    table: 'imports',
    time: 'created_at',
    isClosed: (sql, past) => sql`r.state = 'EXPIRED' and r.state_at < ${past}`,
  },
  {
    table: 'exports',
    time: 'created_at',
    isClosed: (sql, past) => sql`r.state = 'EXPIRED' and r.expires_at < ${past}`,
  },
  { table: 'unmatched_stops', time: 'received_at' },
  { table: 'rejected_connections', time: 'last_at', isTimeRenewed: true },
  {
    table: 'certificate_requests',
    time: 'requested_at',
    isTimeRenewed: true,
    isClosed: (sql, past) => sql`r.status_at < ${past}`,
  },
  {
    table: 'charger_certificates',
    time: 'installed_at',
    isTimeRenewed: true,
    isClosed: (sql, past) => sql`r.deleted_at < ${past}`,
  },
];

/** Removes closed records that are older than `days`, until `stopping` is aborted, and returns their number. */
export async function removeClosedRecords(
  sql: Sql,
  days: number,
  stopping = AbortSignal.any([]),
): Promise<number> {
  let removed = 0;
  for (const records of closedRecords) removed += await removePast(sql, records, days, { stopping });
  return removed;
}

/**
 * Removes entries of the audit log that are older than `days`, until `stopping` is aborted, and returns their number. The trigger of the table refuses deletions
 * by a transaction without this variable.
 */
export function removePastAuditEntries(
  sql: Sql,
  days: number,
  stopping = AbortSignal.any([]),
): Promise<number> {
  return removePast(sql, { table: 'audit_log', time: 'at' }, days, {
    stopping,
    prepare: (transaction) =>
      transaction`select set_config('chargeway.removes_past_audit_entries', 'on', true)`,
  });
}
