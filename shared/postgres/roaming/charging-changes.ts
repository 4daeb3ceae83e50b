import type { Sql } from '#shared/postgres/kernel/client.ts';
import { inRange, readEvents } from '#shared/postgres/kernel/outbox.statements.ts';

/** Events that are read in one transaction. */
const eventsAtOnce = 1000;

/**
 * Reads the changes at chargers that partners must be notified of: reservations that ended early, and charging profiles and limits
 * that may have changed the profile of a session (OCPI 2.2.1 §14.4.2.4). A profile that the partner's own request changed later is
 * due already.
 */
export async function noteChargingChanges(sql: Sql): Promise<void> {
  await readEvents(sql, 'charging-changes', eventsAtOnce, async (transaction, range) => {
    await transaction`
      update ocpi_commands set is_cancellation_due = true
      where not is_own_cancellation and reservation_id in (
        select subject_id from outbox where ${inRange(transaction, range)} and type = 'reservation.ended'
          and coalesce(data ->> 'status', 'Cancelled') in ('Cancelled', 'Removed'))`;
    await transaction`
      with changed as (
        -- evse 0: the charger as a whole.
        select subject_id, (data ->> 'evse')::integer as evse, max(occurred_at) as at from outbox
        where ${inRange(transaction, range)} and type in ('charging_profile.changed', 'charging_limit.changed')
        group by 1, 2
      ), affected as (
        select s.id, max(c.at) as at
        from changed c join sessions s on s.charger_id = c.subject_id and s.status in ('ACTIVE', 'STOPPING')
        join connectors k on k.id = s.connector_id and c.evse in (0, k.evse_number)
        group by s.id
      )
      update ocpi_profiles p set changed_at = a.at from affected a
      where p.session_id = a.id and p.is_accepted and p.changed_at < a.at`;
  });
}
