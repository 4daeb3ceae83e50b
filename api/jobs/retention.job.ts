import type { ApiDeps } from '#api/services/deps.ts';
import { audit, type OwnActor } from '#api/services/access/audit.ts';
import { reviewInactiveDrivers } from '#api/services/people/inactive-drivers.service.ts';
import { dropPastReadings, dropPastRollup, keepLog } from '#shared/clickhouse/retention.queries.ts';
import type { Logger } from '#shared/log/log.ts';
import { removeClosedRecords, removePastAuditEntries } from '#shared/postgres/access/past-records.ts';

const by: OwnActor = { part: 'record-retention' };

type RetentionDeps = Pick<ApiDeps, 'sql' | 'clickhouse' | 'settings'> & { log: Logger };

/** Removes records of PostgreSQL that are past their retention, on one process at a time. Ends after a batch when the process stops. */
export async function removePastRecords(
  { sql, settings, log }: RetentionDeps,
  stopping = AbortSignal.any([]),
): Promise<void> {
  const { auditDays, recordDays } = settings.retention;
  const auditEntries = auditDays === null ? 0 : await removePastAuditEntries(sql, auditDays, stopping);
  if (auditEntries > 0) {
    await audit(sql, by, {
      networkId: null,
      category: 'audit-log',
      action: 'retention',
      resourceId: 'audit_log',
      resourceName: 'audit_log',
      description: 'audit_log: entries that are past their retention were removed',
      details: { removed: auditEntries, days: auditDays },
    });
  }
  const closedRecords = recordDays === null ? 0 : await removeClosedRecords(sql, recordDays, stopping);
  if (auditEntries + closedRecords === 0) return;
  log.info({ auditEntries, closedRecords }, 'records that are past their retention were removed');
}

/** Drivers that are looked at in one statement. */
const driversAtOnce = 5000;

/** Drivers that are notified in a run: a mail server accepts only so many e-mails an hour. */
const noticesAtOnce = 1000;

/** Notifies and deletes drivers who were inactive for the days of their network or of the installation. */
export async function removeInactiveDrivers(
  deps: Pick<ApiDeps, 'sql' | 'settings' | 'mailer'> & { log: Logger },
  stopping = AbortSignal.any([]),
): Promise<void> {
  let [after, drivers, notified] = [0, 0, 0];
  do {
    const limits = { drivers: driversAtOnce, notices: noticesAtOnce - notified };
    const round = await reviewInactiveDrivers(deps, after, limits);
    after = round.after;
    drivers += round.erased;
    notified += round.notified;
  } while (after > 0 && !stopping.aborted);
  if (drivers > 0) deps.log.info({ drivers }, 'inactive drivers were deleted');
  if (notified > 0) deps.log.info({ drivers: notified }, 'inactive drivers were notified of their deletion');
}

/** Drops partitions of readings that are past their retention. */
export async function dropPastPartitions({ clickhouse, settings, log }: RetentionDeps): Promise<void> {
  const { readingDays } = settings.retention;
  if (readingDays === null) return;
  const months = await dropPastReadings(clickhouse, readingDays);
  const years = await dropPastRollup(clickhouse, readingDays);
  if (months.length + years.length === 0) return;
  log.info({ months, years }, 'readings that are past their retention were dropped');
}

/** Sets the retention of the logs that API processes write to ClickHouse. */
export async function limitLogs({ clickhouse, settings }: RetentionDeps): Promise<void> {
  await keepLog(clickhouse, 'ocpi_exchanges', settings.retention.logDays);
  await keepLog(clickhouse, 'webhook_deliveries', settings.retention.logDays);
}
