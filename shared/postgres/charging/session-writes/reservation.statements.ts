import type { NamedReservation } from '#shared/domain/charging/reservation.ts';
import type { Roaming } from '#shared/domain/roaming/roaming.ts';
import type { SessionResult } from '#shared/pricing/settle-session.ts';
import type { EndedReservation } from '#shared/postgres/charging/ended-reservations.ts';
import { isNamed } from '#shared/postgres/charging/reservation-records.ts';
import type { LockedSession } from '#shared/postgres/charging/sessions.statements.ts';
import type { Fragment, Queryable, Transaction } from '#shared/postgres/kernel/client.ts';
import { completeSession } from './price.statements.ts';
import type { NewSession } from './start.statements.ts';
import { type SessionOwner, tokenJson } from './token.statements.ts';

/** Owner of a reserved session. */
export type ReservationOwner = Pick<SessionOwner, 'idTokenId' | 'userId' | 'roaming'>;

/** Reservation, by OCPP's number of it at its charger. */
interface NumberedReservation {
  chargerId: number;
  reservationId: number;
}

/** Selects the connector of a reservation `v`: of its EVSE, or the first one of the charger. */
const reservedConnector = (sql: Queryable) => sql`
  select k.id from connectors k
  where k.charger_id = v.charger_id and k.deleted_at is null and (v.evse is null or k.evse_number = v.evse)
  order by k.number limit 1`;

/**
 * Opens the session of a reservation that its charger accepted, or changed, where the tariff that applies there now prices
 * reservations. Without an EVSE that is the tariff of the first connector. A changed reservation keeps a session that has not ended.
 * Not for a partner of OCPI 2.1.1: its tariffs have no price of reservations.
 */
export async function openReservedSession(
  sql: Queryable,
  { chargerId, reservationId }: NumberedReservation,
  { idTokenId, userId, roaming }: ReservationOwner,
): Promise<void> {
  await sql`
    with reserved as materialized (
      select * from reservations r
      where r.charger_id = ${chargerId} and r.reservation_id = ${reservationId} and r.status = 'Active'
        and not exists (select from sessions s
          where s.id = r.billed_session_id and s.status not in ('COMPLETED', 'INVALID')) for update
    ), opened as (
      insert into sessions (network_id, charger_id, connector_id, user_id, id_token_id, id_token, ocpp_transaction_id,
        start_key, status, authorization_status, started_at, start_received_at, tariff_id, tariff, currency,
        ocpi_partner_id, ocpi_token, auth_method, authorization_reference, reserved_at)
      select c.network_id, c.id, place.id, ${userId}, ${idTokenId}, v.id_token, names.key, names.key,
        'RESERVATION', 'Accepted', v.status_at, v.status_at, e.tariff_id, e.document,
        e.document ->> 'currency', ${roaming?.partnerId ?? null}, ${tokenJson(sql, roaming)},
        ${roaming?.authMethod ?? null}, ${roaming?.authorizationReference ?? null}, v.status_at
      from reserved v join chargers c on c.id = v.charger_id
      cross join lateral (select 'reservation ' || gen_random_uuid() as key) names
      cross join lateral (${reservedConnector(sql)}) place
      cross join lateral effective_tariff(c.id, place.id, v.status_at) e
      where jsonb_path_exists(e.document, '$.elements[*].restrictions.reservation')
        and not exists (select from ocpi_partners p
          where p.id = ${roaming?.partnerId ?? null}::integer and p.ocpi_version = '2.1.1')
      returning id
    )
    update reservations v set billed_session_id = opened.id, is_open = true
    from opened, reserved where v.id = reserved.id`;
}

/** The condition that a reserved session is of this driver, or of this partner and, behind a hub, of this party. */
const isOwnedBy = (sql: Queryable, userId: number | null, roaming: Roaming | null) => sql`
  (sessions.user_id, sessions.ocpi_partner_id, sessions.ocpi_token ->> 'country_code', sessions.ocpi_token ->> 'party_id')
    is not distinct from (${userId}::integer, ${roaming?.partnerId ?? null}::integer,
      ${roaming?.token.country_code ?? null}::text, ${roaming?.token.party_id ?? null}::text)`;

/**
 * Locks and returns a changed reservation whose session is at another EVSE, or of another token or owner. That session ends with the
 * change. Null: it has none, or keeps it.
 */
export async function lockMovedReservation(
  transaction: Transaction,
  { chargerId, reservationId }: NumberedReservation,
  { userId, roaming }: ReservationOwner,
): Promise<EndedReservation | null> {
  const [row] = await transaction<EndedReservation[]>`
    select v.id, v.billed_session_id as "sessionId", 'CANCELLED' as "end", v.status_at as at
    from reservations v join sessions on sessions.id = v.billed_session_id and sessions.status = 'RESERVATION'
    where v.charger_id = ${chargerId} and v.reservation_id = ${reservationId} and v.status = 'Active'
      and not (lower(sessions.id_token) = lower(v.id_token) and ${isOwnedBy(transaction, userId, roaming)}
        and sessions.connector_id = (${reservedConnector(transaction)}))
    for update of v`;
  return row ?? null;
}

/**
 * Common table expression `begun`: the reserved session that begins to charge with this start, which names its reservation, or none.
 * The tariff of the reservation prices the charging too, except at a connector that the reservation did not name. A start by
 * another driver or partner leaves the session to the end of the reservation, because the owner of the reservation pays for it.
 */
export const begunSession = (
  sql: Queryable,
  { chargerId, start, startKey, idTokenId, userId, roaming }: NewSession,
  reservation: NamedReservation,
  columns: Fragment,
) => {
  const moves = sql`(named.evse_number is null and place.connector_id <> sessions.connector_id)`;
  return sql`
    begun as (
      update sessions set status = 'ACTIVE', reservation_end = 'USED', connector_id = place.connector_id,
        tariff_id = case when ${moves} then tariff.id else sessions.tariff_id end,
        tariff = case when ${moves} then tariff.snapshot else sessions.tariff end,
        currency = case when ${moves} then coalesce(tariff.snapshot ->> 'currency', sessions.currency)
          else sessions.currency end,
        id_token = ${start.idToken}, id_token_id = ${idTokenId}, user_id = ${userId},
        ocpi_partner_id = ${roaming?.partnerId ?? null}, ocpi_token = ${tokenJson(sql, roaming)},
        auth_method = ${roaming?.authMethod ?? null},
        authorization_reference = case when lower(sessions.id_token) = lower(${start.idToken})
          then coalesce(${roaming?.authorizationReference ?? null}, sessions.authorization_reference)
          else ${roaming?.authorizationReference ?? null} end,
        ocpp_transaction_id = coalesce(${start.transactionId}, nextval('ocpp16_transaction_id')::text),
        start_key = ${startKey}, remote_start_id = ${start.remoteStartId}, started_at = ${start.startedAt},
        start_received_at = ${start.receivedAt}, meter_start_wh = ${start.meterStartWh}, flags = ${start.flags},
        updated_at = now()
      from place left join tariff on true cross join (
        select v.billed_session_id, v.evse as evse_number from reservations v
        where ${isNamed(sql, chargerId, reservation)}
      ) named
      where sessions.id = named.billed_session_id and sessions.status = 'RESERVATION'
        and ${isOwnedBy(sql, userId, roaming)}
        and not exists (select from sessions o where o.charger_id = ${chargerId}
          and (o.start_key = ${startKey} or o.ocpp_transaction_id = ${start.transactionId}))
      returning ${columns}
    )`;
};

/**
 * Ends the session of a reservation that was not used in it, or replaces its end, and has its wallet pay the price of the reservation.
 * Without a result the driver does not pay, and the session is invalid.
 */
export async function endReservedSession(
  transaction: Transaction,
  session: LockedSession,
  { end, at }: Pick<EndedReservation, 'end' | 'at'>,
  final: SessionResult | null,
): Promise<void> {
  await transaction`
    update sessions set started_at = ${at}, reservation_end = ${end}, updated_at = now()
      ${final === null ? transaction`, status = 'INVALID', ended_at = ${at}` : transaction``}
    where id = ${session.id}`;
  if (final === null) return;
  const stop = { endedAt: at, meterStopWh: null, receivedAt: null, reason: null };
  await completeSession(transaction, session, stop, final);
}
