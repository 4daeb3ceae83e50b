import type { Sql } from '#shared/postgres/kernel/client.ts';

/** Lets a session have begun two hours earlier, so that the energy that a test reports at once is plausible. */
export async function backdateStart(sql: Sql, sessionUuid: string): Promise<void> {
  await sql`update sessions set started_at = started_at - interval '2 hours' where uuid = ${sessionUuid}`;
}

/** Lets all alerts, their notifications and notices be this many seconds older. */
export async function backdateAlerts(sql: Sql, seconds: number): Promise<void> {
  const by = sql`make_interval(secs => ${seconds})`;
  await sql`update alerts set opened_at = opened_at - ${by}`;
  await sql`
    update alert_notifications set created_at = created_at - ${by}, collects_until = collects_until - ${by},
      notified_at = notified_at - ${by}, escalates_at = escalates_at - ${by}`;
  await sql`update alert_notices set due_at = due_at - ${by}, sent_at = sent_at - ${by}`;
  await sql`update alert_channel_notices set due_at = due_at - ${by}`;
  await sql`update alert_channels set due_at = due_at - ${by}, claimed_until = claimed_until - ${by}`;
}
