import { reservationEvents } from '#shared/postgres/fleet/reservation-events.ts';
import type { NamedReservation, ReservationStatus } from '#shared/domain/charging/reservation.ts';
import type { NetworkScope } from '#shared/domain/access/tenancy.ts';
import type { Fragment, Queryable, Sql } from '#shared/postgres/kernel/client.ts';
import { inScope } from '#shared/postgres/kernel/scope.statements.ts';

/** A reservation as the API reads it. */
export interface ReservationRecord {
  id: number;
  uuid: string;
  /** OCPP's. */
  reservationId: number;
  networkId: number;
  chargerUuid: string;
  chargerUid: string;
  /** Null: any. */
  connectorNumber: number | null;
  idToken: string;
  groupIdToken: string | null;
  status: ReservationStatus;
  statusAt: Date;
  expiresAt: Date;
  createdAt: Date;
  /** That used it. */
  sessionUuid: string | null;
  /** That bills it. Null: it costs nothing. */
  billedSessionUuid: string | null;
}

/** Filter of a list of reservations. */
export interface ReservationFilter {
  status?: ReservationStatus | undefined;
  chargerUuid?: string | undefined;
  idToken?: string | undefined;
}

const select = (sql: Queryable) => sql`
  select v.id::double precision as id, v.uuid, v.reservation_id as "reservationId", c.network_id as "networkId",
    c.uuid as "chargerUuid", c.uid as "chargerUid", v.id_token as "idToken", v.group_id_token as "groupIdToken",
    -- One that passed its time is over, whether that was written down yet or not.
    case when v.status = 'Active' and v.expires_at <= now() then 'Expired' else v.status end as status,
    case when v.status = 'Active' and v.expires_at <= now() then v.expires_at else v.status_at end as "statusAt",
    v.expires_at as "expiresAt", v.created_at as "createdAt", s.uuid as "sessionUuid",
    (select b.uuid from sessions b where b.id = v.billed_session_id) as "billedSessionUuid",
    (select min(k.number) from connectors k
      where k.charger_id = v.charger_id and k.evse_number = v.evse and k.deleted_at is null) as "connectorNumber"
  from reservations v join chargers c on c.id = v.charger_id left join sessions s on s.id = v.session_id`;

/** The reservations in scope before this id, newest first. */
export function listReservations(
  sql: Queryable,
  scope: NetworkScope,
  { status, chargerUuid, idToken }: ReservationFilter,
  before: number | null,
  limit: number,
): Promise<ReservationRecord[]> {
  const isOver = sql`(v.status = 'Active' and v.expires_at <= now())`;
  return sql<ReservationRecord[]>`
    ${select(sql)}
    where ${inScope(sql, 'c.network_id', scope)}
      ${before === null ? sql`` : sql`and v.id < ${before}`}
      ${status === undefined ? sql`` : sql`and case when ${isOver} then 'Expired' else v.status end = ${status}`}
      ${chargerUuid === undefined ? sql`` : sql`and c.uuid = ${chargerUuid}`}
      ${idToken === undefined ? sql`` : sql`and lower(v.id_token) = lower(${idToken})`}
    order by v.id desc limit ${limit}`;
}

/** One reservation in scope, or null. */
export async function findReservation(
  sql: Queryable,
  scope: NetworkScope,
  uuid: string,
): Promise<ReservationRecord | null> {
  const [row] = await sql<ReservationRecord[]>`
    ${select(sql)} where v.uuid = ${uuid} and ${inScope(sql, 'c.network_id', scope)}`;
  return row ?? null;
}

/** The reservation that a charger knows by this number. */
export async function findReservationOfCharger(
  sql: Queryable,
  chargerId: number,
  reservationId: number,
): Promise<ReservationRecord | null> {
  const [row] = await sql<ReservationRecord[]>`
    ${select(sql)} where v.charger_id = ${chargerId} and v.reservation_id = ${reservationId}`;
  return row ?? null;
}

/** A number for a new reservation: OCPP wants an integer. */
export async function nextReservationId(sql: Queryable): Promise<number> {
  const [row] = await sql<{ id: number }[]>`select nextval('ocpp_reservation_id')::integer as id`;
  if (row === undefined) throw new Error('the sequence gave no number');
  return row.id;
}

/** Condition that a reservation `v` is the named one, and is for the token of the start or its group (1.6 §5.13, 2.0.1 H03). */
export const isNamed = (
  sql: Queryable,
  chargerId: number,
  { reservationId, idToken, groupId }: NamedReservation,
) => sql`
  (v.charger_id = ${chargerId} and v.reservation_id = ${reservationId}
    and (lower(v.id_token) = lower(${idToken}) or lower(v.group_id_token) = lower(${groupId})))`;

/**
 * Stores that a session began that names the reservation. One that ended otherwise before was used after all: the session that bills it
 * is due again.
 */
export async function recordReservationUse(
  sql: Queryable,
  chargerId: number,
  named: NamedReservation,
  sessionUuid: string,
): Promise<void> {
  await sql`
    with used as (
      update reservations v set status = 'Used', status_at = now(), session_id = s.id,
        is_open = v.billed_session_id is not null and v.billed_session_id <> s.id
      from sessions s
      where s.uuid = ${sessionUuid} and ${isNamed(sql, chargerId, named)} and v.session_id is null
      returning v.*
    )
    ${reservationEvents(sql, sql`'reservation.ended'`, sql`used`)}`;
}

/** The condition that the time of an active reservation is over, or that a session waits for the end of one that ended. */
export const areReservationsOver = (sql: Queryable): Fragment => sql`(
  exists (select from reservations where status = 'Active' and expires_at <= now())
  or exists (select from reservations where is_open and status <> 'Active'))`;

/** Ends the reservations whose time is over; answers how many. Chargers of 1.6 do not say so. */
export async function expireReservations(sql: Sql): Promise<number> {
  const { count } = await sql`
    with expired as (
      update reservations set status = 'Expired', status_at = expires_at
      where status = 'Active' and expires_at <= now() returning *
    )
    ${reservationEvents(sql, sql`'reservation.ended'`, sql`expired`)}`;
  return count;
}

/** Removes the active reservations at a charger that is removed. Their drivers do not pay. */
export async function removeReservationsOfCharger(sql: Queryable, chargerId: number): Promise<void> {
  await removeReservations(sql, sql`v.charger_id = ${chargerId}`);
}

/** Removes the active reservations for tokens that may not charge any more. Their drivers do not pay. */
export async function removeReservationsOfTokens(sql: Queryable, tokenIds: readonly number[]): Promise<void> {
  if (tokenIds.length === 0) return;
  await removeReservations(
    sql,
    sql`v.id in (
      select r.id from id_tokens t join reservations r on lower(r.id_token) = lower(t.uid)
      join chargers c on c.id = r.charger_id and c.network_id = t.network_id
      where t.id = any(${tokenIds}::integer[]))`,
  );
}

/** Removes the active reservations `v` of this condition. Their drivers do not pay. */
export async function removeReservations(sql: Queryable, areMeant: Fragment): Promise<void> {
  await sql`
    with removed as (
      update reservations v set status = 'Removed', status_at = now()
      where v.status = 'Active' and v.expires_at > now() and ${areMeant} returning *
    )
    ${reservationEvents(sql, sql`'reservation.ended'`, sql`removed`)}`;
}
