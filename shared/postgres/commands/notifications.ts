import type { ReceivedReport } from '#shared/domain/commands/charger-reports.ts';
import type { Transaction } from '#shared/postgres/kernel/client.ts';
import { rounds } from '#shared/postgres/kernel/rounds.ts';

/**
 * Stores notifications without a table of their own. One that equals its charger's last one within an hour is
 * a repeat: a charger that missed the answer sends it again before anything else.
 */
export async function recordNotifications(
  transaction: Transaction,
  reports: ReceivedReport<'notification'>[],
): Promise<void> {
  for (const round of rounds(reports)) {
    await transaction`
      with stored as (
        insert into charger_notifications (charger_id, action, request_id, seq_no, payload, received_at)
        select r."chargerId", r.action, r."requestId", r.part, r.payload, r."receivedAt"
        from jsonb_to_recordset(${transaction.json(round as never)}) as r("chargerId" integer, action text,
          "requestId" integer, part integer, payload jsonb, "receivedAt" timestamptz)
        where not exists (
          select 1 from (
            select n.action, n.payload, n.received_at from charger_notifications n
            where n.charger_id = r."chargerId" order by n.id desc limit 1
          ) last
          where last.action = r.action and last.payload = r.payload
            and last.received_at > r."receivedAt" - interval '1 hour')
        returning charger_id, action, payload
      )
      -- A limit from alongside us (2.0.1 K11, K13).
      insert into outbox (network_id, type, subject_id, data)
      select c.network_id, 'charging_limit.changed', c.id,
        jsonb_build_object('evse', coalesce((s.payload ->> 'evseId')::integer, 0))
      from stored s join chargers c on c.id = s.charger_id
      where s.action in ('NotifyChargingLimit', 'ClearedChargingLimit')`;
  }
}
