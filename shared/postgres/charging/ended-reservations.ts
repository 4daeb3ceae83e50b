import type { ReservationEnd } from '#shared/domain/charging/reservation.ts';
import type { Queryable, Transaction } from '#shared/postgres/kernel/client.ts';
import { type LockedSession, selectLocked } from './sessions.statements.ts';

/** Reservation that ended, and whose session does not have its end yet. */
export interface EndedReservation {
  id: bigint;
  sessionId: bigint;
  /** Null: its charger removed it, or an operator took it back from a partner. The driver does not pay for it. */
  end: Exclude<ReservationEnd, 'USED'> | null;
  at: Date;
}

/** Condition that a session `u` at a connector `k` used a reservation `v` that expired, although its charger did not name it. */
const usesExpired = (sql: Queryable) => sql`
  (v.status = 'Expired' and u.charger_id = v.charger_id and u.reserved_at is null
    and u.started_at between v.created_at and v.expires_at and u.id <> v.billed_session_id
    and u.authorization_status = 'Accepted' and lower(u.id_token) = lower(v.id_token)
    and (v.evse is null or k.evse_number = v.evse))`;

/**
 * Locks and returns the next reservation after this id whose end its session does not have. Leaves out those that another process
 * ends. A reservation that expired while its token charged there was used, although the charger did not name it.
 */
export async function lockEndedReservation(
  transaction: Transaction,
  after: bigint,
): Promise<EndedReservation | null> {
  const [row] = await transaction<EndedReservation[]>`
    select v.id, v.billed_session_id as "sessionId", coalesce(used.started_at, least(v.status_at, v.expires_at)) as at,
      case when v.status = 'Used' or used.started_at is not null then 'USED_ELSEWHERE'
        when v.status = 'Expired' then 'EXPIRED'
        when v.status = 'Cancelled' and (b.ocpi_partner_id is null or exists (
          select from ocpi_commands o where o.reservation_id = v.id and o.is_own_cancellation)) then 'CANCELLED'
        end as "end"
    from reservations v left join sessions b on b.id = v.billed_session_id
    left join lateral (
      select min(use.started_at) as started_at from (
        select u.started_at from sessions u
        where u.id = v.session_id and u.id <> v.billed_session_id and u.charger_id = v.charger_id
          and u.authorization_status = 'Accepted'
        union all
        select u.started_at from sessions u join connectors k on k.id = u.connector_id where ${usesExpired(transaction)}
      ) use
    ) used on true
    where v.is_open and v.status <> 'Active' and v.id > ${String(after)}::bigint
    order by v.id limit 1
    for update of v skip locked`;
  return row ?? null;
}

/**
 * Locks and returns the session of an ended reservation. Null: it began to charge, or its price must not change, because an operator
 * set it or it is on an invoice.
 */
export async function lockReservedSession(
  transaction: Transaction,
  { sessionId }: Pick<EndedReservation, 'sessionId'>,
): Promise<LockedSession | null> {
  const [row] = await transaction<LockedSession[]>`
    ${selectLocked(transaction)}
    where s.id = ${String(sessionId)}::bigint and s.reservation_end is distinct from 'USED'
      and s.status in ('RESERVATION', 'COMPLETED') and s.price_decision is distinct from 'AMENDED'
      and s.invoice_number is null
    for update of s`;
  return row ?? null;
}

/** Stores that the session of a reservation has its end. */
export async function closeReservation(sql: Queryable, { id }: Pick<EndedReservation, 'id'>): Promise<void> {
  await sql`update reservations set is_open = false where id = ${String(id)}::bigint`;
}

/** Marks the reservation that was billed as expired and that this session used, to be billed again. */
export async function reopenExpiredReservation(sql: Queryable, sessionUuid: string): Promise<void> {
  await sql`
    update reservations v set is_open = true
    from sessions u, connectors k, sessions b
    where u.uuid = ${sessionUuid} and k.id = u.connector_id and ${usesExpired(sql)}
      and b.id = v.billed_session_id and b.reservation_end = 'EXPIRED'`;
}
