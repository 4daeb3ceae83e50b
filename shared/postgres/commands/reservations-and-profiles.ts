import type { ReceivedReport } from '#shared/domain/fleet/charger-reports.ts';
import type { Transaction } from '#shared/postgres/kernel/client.ts';

/** Ends reservations that their chargers say are over; one that we do not know, or that ended already, stays so. */
export async function recordReservationEnds(
  transaction: Transaction,
  reports: ReceivedReport<'reservation-ended'>[],
): Promise<void> {
  await transaction`
    update reservations v set status = r.status, status_at = r."receivedAt"
    from jsonb_to_recordset(${transaction.json(reports)}) as r("chargerId" integer,
      "reservationId" integer, status text, "receivedAt" timestamptz)
    where v.charger_id = r."chargerId" and v.reservation_id = r."reservationId" and v.status = 'Active'`;
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
    insert into charging_profiles (charger_id, evse, source, profile_id, purpose, stack_level, profile, reported_at)
    select r."chargerId", r.evse, r.source, r."profileId", r.purpose, r."stackLevel", r.profile, r."receivedAt"
    from jsonb_to_recordset(${transaction.json([...rows.values()] as never)}) as r("chargerId" integer, evse integer,
      source text, "profileId" integer, purpose text, "stackLevel" integer, profile jsonb, "receivedAt" timestamptz)
    on conflict (charger_id, evse, source, profile_id) do update set purpose = excluded.purpose,
      stack_level = excluded.stack_level, profile = excluded.profile, reported_at = excluded.reported_at
    where charging_profiles.reported_at <= excluded.reported_at`;
}
