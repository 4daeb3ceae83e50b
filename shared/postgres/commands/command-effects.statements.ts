import type {
  AvailabilityWanted,
  DynamicLimitChanged,
  ProfileInstalled,
  ProfilesCleared,
  ReservationMade,
} from '#shared/domain/commands/command-effects.ts';
import {
  type DynamicLimit,
  dynamicLimitOf,
  firstLoadProfileId,
} from '#shared/domain/charging/charging-profile.ts';
import { reservationEvents } from '#shared/postgres/fleet/reservation-events.ts';
import { lockedInOrder } from '#shared/postgres/fleet/charger-locks.ts';
import type { Queryable, Sql } from '#shared/postgres/kernel/client.ts';
import { profileEvents } from './reservations-and-profiles.ts';

/** Stores a reservation that the charger accepted; one with the id of an earlier one replaces it (1.6 §5.13, H01). */
export async function storeReservation(
  sql: Queryable,
  chargerId: number,
  { reservationId, evse, idToken, groupIdToken, expiresAt }: ReservationMade,
): Promise<void> {
  await sql`
    with stored as (
    insert into reservations (charger_id, reservation_id, evse, id_token, group_id_token, expires_at)
    values (${chargerId}, ${reservationId}, ${evse}, ${idToken}, ${groupIdToken}, ${expiresAt})
    on conflict (charger_id, reservation_id) do update set evse = excluded.evse, connector = null,
      id_token = excluded.id_token, group_id_token = excluded.group_id_token, expires_at = excluded.expires_at,
      status = 'Active', status_at = now()
    returning *, xmax = 0 as is_new
    )
    ${reservationEvents(sql, sql`case when v.is_new then 'reservation.created' else 'reservation.updated' end`, sql`stored`)}`;
}

/** Ends a reservation that an operator took back. */
export async function cancelReservation(
  sql: Queryable,
  chargerId: number,
  reservationId: number,
): Promise<void> {
  await sql`
    with ended as (
      update reservations set status = 'Cancelled', status_at = now()
      where charger_id = ${chargerId} and reservation_id = ${reservationId} and status = 'Active'
      returning *
    )
    ${reservationEvents(sql, sql`'reservation.ended'`, sql`ended`)}`;
}

/** Stores which list of tokens the charger has. */
export async function storeLocalListVersion(
  sql: Queryable,
  chargerId: number,
  version: number,
): Promise<void> {
  await sql`
    update chargers set local_list_version = ${version}, local_list_sent_at = now() where id = ${chargerId}`;
}

/**
 * Stores a charging profile that the charger accepted. It takes the place of the one with its id, and of the one with
 * its purpose and stack level at the same EVSE (1.6 §5.16, 2.0.1 K01.FR.05). Limits of load management are not stored.
 */
export async function storeChargingProfile(
  sql: Sql,
  chargerId: number,
  { evse, profileId, purpose, stackLevel, profile }: ProfileInstalled,
): Promise<void> {
  const isStored = profileId < firstLoadProfileId;
  await sql.begin(async (transaction) => {
    await transaction`
      with replaced as (
        delete from charging_profiles
        where charger_id = ${chargerId} and source = 'CSO' and (profile_id = ${profileId}
          or (evse = ${evse} and purpose = ${purpose} and stack_level = ${stackLevel}))
        returning charger_id, evse
      ), changed as (
        select * from replaced union select ${chargerId}::integer, ${evse}::integer where ${isStored}
      )
      ${profileEvents(transaction)}`;
    if (!isStored) return;
    await transaction`
      insert into charging_profiles (charger_id, evse, profile_id, purpose, stack_level, profile, reported_at)
      values (${chargerId}, ${evse}, ${profileId}, ${purpose}, ${stackLevel}, ${sql.json(profile as never)}, now())`;
  });
}

/** Removes our charging profiles that the charger cleared. */
export async function clearChargingProfiles(
  sql: Queryable,
  chargerId: number,
  { profileId, evse, purpose, stackLevel }: ProfilesCleared,
): Promise<void> {
  await sql`
    with changed as (
      delete from charging_profiles
      where charger_id = ${chargerId} and source = 'CSO'
        and profile_id = coalesce(${profileId}::integer, profile_id) and evse = coalesce(${evse}::integer, evse)
        and purpose = coalesce(${purpose}::text, purpose)
        and stack_level = coalesce(${stackLevel}::integer, stack_level)
      returning charger_id, evse
    )
    ${profileEvents(sql)}`;
}

/** Schedule period of a Dynamic profile: it has one. */
const dynamicPeriod = '{chargingSchedule,0,chargingSchedulePeriod,0}';

/** Stores a new limit of one of our Dynamic profiles (2.1 K28). */
export async function changeDynamicLimit(
  sql: Queryable,
  chargerId: number,
  { profileId, update }: Pick<DynamicLimitChanged, 'profileId' | 'update'>,
): Promise<void> {
  await sql`
    with changed as (
      update charging_profiles set reported_at = now(),
        profile = jsonb_set(profile, ${dynamicPeriod}, (profile #> ${dynamicPeriod}) || ${sql.json(update)})
      where charger_id = ${chargerId} and source = 'CSO' and profile_id = ${profileId}
        and profile ->> 'chargingProfileKind' = 'Dynamic'
      returning charger_id, evse
    )
    ${profileEvents(sql)}`;
}

/** Reads the limit that applies in one of our Dynamic profiles; null: the charger has no such profile. */
export async function readDynamicLimit(
  sql: Queryable,
  chargerId: number,
  profileId: number,
): Promise<DynamicLimit | null> {
  const [row] = await sql<{ period: Record<string, unknown> }[]>`
    select profile #> ${dynamicPeriod} as period from charging_profiles
    where charger_id = ${chargerId} and source = 'CSO' and profile_id = ${profileId}
      and profile ->> 'chargingProfileKind' = 'Dynamic'`;
  return row === undefined ? null : dynamicLimitOf(row.period);
}

/** Stores which availability the operator wants of a charger, an EVSE or a connector. */
export async function storeWantedAvailability(
  sql: Sql,
  chargerId: number,
  { position, availability }: AvailabilityWanted,
): Promise<void> {
  await sql`
    with ${lockedInOrder(sql, [chargerId])}, whole as (
      update chargers c set wanted_availability = ${availability}
      from locked where c.id = locked.id and ${position === null}
    )
    update connectors set wanted_availability = ${availability}
    from locked
    where charger_id = locked.id and deleted_at is null
      and evse_number = coalesce(${position?.evse ?? null}::integer, evse_number)
      and evse_connector = coalesce(${position?.connector ?? null}::integer, evse_connector)`;
}

/** A certificate that a charger holds, with what names it to the charger (CertificateHashDataType). */
interface InstalledCertificate {
  certificateType: string;
  pem: string;
  hashAlgorithm: string;
  issuerNameHash: string;
  issuerKeyHash: string;
  serialNumber: string;
}

/** Stores a certificate that the charger installed; again: the same row. */
export async function storeCertificate(
  sql: Queryable,
  chargerId: number,
  { certificateType, pem, hashAlgorithm, issuerNameHash, issuerKeyHash, serialNumber }: InstalledCertificate,
): Promise<void> {
  await sql`
    insert into charger_certificates (charger_id, certificate_type, pem, hash_algorithm, issuer_name_hash,
      issuer_key_hash, serial_number, installed_at)
    values (${chargerId}, ${certificateType}, ${pem}, ${hashAlgorithm}, ${issuerNameHash}, ${issuerKeyHash},
      ${serialNumber}, now())
    on conflict (charger_id, certificate_type, serial_number, issuer_key_hash) where deleted_at is null
    do update set pem = excluded.pem, installed_at = excluded.installed_at`;
}

/** The certificates that a charger holds and that have this serial number. */
export async function listCertificates(
  sql: Queryable,
  chargerId: number,
  serialNumber: string,
): Promise<{ id: bigint; pem: string }[]> {
  return sql<{ id: bigint; pem: string }[]>`
    select id, pem from charger_certificates
    where charger_id = ${chargerId} and serial_number = ${serialNumber} and deleted_at is null`;
}

/** The charger deleted a certificate. */
export async function markCertificateDeleted(sql: Queryable, id: bigint): Promise<void> {
  await sql`update charger_certificates set deleted_at = now() where id = ${id}`;
}
