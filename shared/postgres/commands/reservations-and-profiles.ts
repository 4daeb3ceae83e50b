import type { ReceivedReport } from '#shared/domain/commands/charger-reports.ts';
import { reservationEvents } from '#shared/postgres/fleet/reservation-events.ts';
import type { Fragment, Queryable, Transaction } from '#shared/postgres/kernel/client.ts';

/** Ends reservations that their chargers say are over; one that we do not know, or that ended already, stays so. */
export async function recordReservationEnds(
  transaction: Transaction,
  reports: ReceivedReport<'reservation-ended'>[],
): Promise<void> {
  await transaction`
    with ended as (
      update reservations v set status = r.status, status_at = r."receivedAt"
      from jsonb_to_recordset(${transaction.json(reports)}) as r("chargerId" integer,
        "reservationId" integer, status text, "receivedAt" timestamptz)
      where v.charger_id = r."chargerId" and v.reservation_id = r."reservationId" and v.status = 'Active'
      returning v.*
    )
    ${reservationEvents(transaction, transaction`'reservation.ended'`, transaction`ended`)}`;
}

/** Writes an event for each EVSE of the common table expression `changed`, whose charging profiles changed. */
export function profileEvents(sql: Queryable): Fragment {
  return sql`
    insert into outbox (network_id, type, subject_id, data)
    select distinct c.network_id, 'charging_profile.changed', c.id, jsonb_build_object('evse', changed.evse)
    from changed join chargers c on c.id = changed.charger_id`;
}

/** Stores the charging profiles that chargers say are installed (2.0.1 K09). */
export async function recordChargingProfiles(
  transaction: Transaction,
  reports: ReceivedReport<'charging-profiles'>[],
): Promise<void> {
  const rows = new Map<string, object>();
  for (const { chargerId, evse, source, profiles, receivedAt } of reports) {
    for (const profile of profiles) {
      const key = JSON.stringify([chargerId, evse, source, profile.profileId]);
      rows.set(key, { ...profile, chargerId, evse, source, receivedAt });
    }
  }
  await transaction`
    with reported as (
      select * from jsonb_to_recordset(${transaction.json([...rows.values()] as never)}) as r("chargerId" integer,
        evse integer, source text, "profileId" integer, purpose text, "stackLevel" integer, profile jsonb,
        "receivedAt" timestamptz)
    ), stored as (
      insert into charging_profiles (charger_id, evse, source, profile_id, purpose, stack_level, profile, reported_at)
      select r."chargerId", r.evse, r.source, r."profileId", r.purpose, r."stackLevel", r.profile, r."receivedAt"
      from reported r
      on conflict (charger_id, evse, source, profile_id) do update set purpose = excluded.purpose,
        stack_level = excluded.stack_level, profile = excluded.profile, reported_at = excluded.reported_at
      where charging_profiles.reported_at <= excluded.reported_at
      returning charger_id, evse, source, profile_id, profile
    ), changed as (
      -- The table as it was before this statement.
      select s.charger_id, s.evse from stored s
      left join charging_profiles p on p.charger_id = s.charger_id and p.evse = s.evse and p.source = s.source
        and p.profile_id = s.profile_id
      where p.profile is distinct from s.profile
    )
    ${profileEvents(transaction)}`;
}
