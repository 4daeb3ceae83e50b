import type { ReceivedReport } from '#shared/domain/commands/charger-reports.ts';
import type { Transaction } from '#shared/postgres/kernel/client.ts';

/** Stores security events, each once. */
export async function recordSecurityEvents(
  transaction: Transaction,
  reports: ReceivedReport<'security-event'>[],
): Promise<void> {
  await transaction`
    insert into security_events (charger_id, type, tech_info, occurred_at, received_at, time_flag)
    select r."chargerId", r.event, r."techInfo", r."occurredAt", r."receivedAt", r."timeFlag"
    from jsonb_to_recordset(${transaction.json(reports)}) as r("chargerId" integer, event text,
      "techInfo" text, "occurredAt" timestamptz, "receivedAt" timestamptz, "timeFlag" text)
    on conflict do nothing`;
}
