import type { AuditedStores, Evidence } from '../evidence.ts';
import type { Finding } from './finding.ts';

/** A killed PostgreSQL may lose audit entries of commands of the last 0.6 s (docs/adr/0049-audit-of-commands.md). */
const unflushedMs = 1000;

/**
 * Compares acknowledged commands, which carry their request id, with those that chargers answered, and with the audit log, which has one
 * entry for each. `unflushed` are the entries that a killed PostgreSQL may lose.
 */
export async function auditCommands(
  { sql }: AuditedStores,
  { promises, answeredCommands, databaseCrashes }: Evidence,
): Promise<{ commands: Finding; auditEntries: Finding; unflushed: string[] }> {
  const rows = await sql<{ requestId: string; count: number }[]>`
    select request_id as "requestId", count(*)::integer from audit_log
    where action = 'DataTransfer' group by 1`;
  const entries = new Map(rows.map(({ requestId, count }) => [requestId, count]));
  const mayBeUnflushed = (at: number): boolean =>
    databaseCrashes.some((crash) => at > crash - unflushedMs && at < crash + unflushedMs);
  const missing = [...promises.commands].filter(([id]) => !entries.has(id));
  return {
    commands: {
      count: promises.commands.size,
      lost: [...promises.commands.keys()].filter((id) => !answeredCommands.has(id)),
      doubled: [...answeredCommands].filter(([, count]) => count > 1).map(([id]) => id),
    },
    auditEntries: {
      count: promises.commands.size,
      lost: missing.filter(([, at]) => !mayBeUnflushed(at)).map(([id]) => id),
      doubled: [...entries].filter(([, count]) => count > 1).map(([id]) => id),
    },
    unflushed: missing.filter(([, at]) => mayBeUnflushed(at)).map(([id]) => id),
  };
}
