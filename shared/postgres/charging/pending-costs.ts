import type { ReservedTime } from '#shared/domain/charging/reservation.ts';
import type { SessionToSettle } from '#shared/pricing/settle-session.ts';
import type { Fragment, Queryable } from '#shared/postgres/kernel/client.ts';

/** Milliseconds without further late readings after which a price is made again. */
export const quietPeriodMs = 60_000;

/** Completed session whose price needs its readings: for the first time, or again since more of them were stored. */
export interface PendingSession
  extends
    Pick<
      SessionToSettle,
      'startedAt' | 'energyWh' | 'tariff' | 'idlePeriods' | 'idleStartedAt' | 'idleCause'
    >,
    ReservedTime {
  id: bigint;
  uuid: string;
  chargerId: number;
  endedAt: Date;
  /** Time of the newest reading that was reported while the session ran. */
  liveAt: Date | null;
  /** Number of the end: a corrected session has another one. */
  version: number;
  /** The session has a price that counts every reading that was reported by then. */
  isPriced: boolean;
  pendingSince: Date;
}

/** The condition that a price of a session waits for readings, and has waited for `quietMs` where the session has a price. */
const isWaiting = (sql: Queryable, quietMs: number): Fragment => sql`
  -- The condition of the index sessions_price_due, word for word: PostgreSQL takes the index for no other.
  (price_state = 'PENDING' or price_readings in ('LATE', 'MISSING_LATE')) and invoice_number is null
    and (price_state = 'PENDING' or updated_at <= now() - make_interval(secs => ${quietMs / 1000}))`;

/** The condition that the price of any session waits for readings. */
export const isPricingDue = (sql: Queryable): Fragment =>
  sql`exists (select from sessions where ${isWaiting(sql, quietPeriodMs)})`;

/** Time since which the session with the lowest id of those waits, or null. It is an index-only read. */
export const oldestPendingCost = (sql: Queryable): Fragment => sql`
  (select updated_at from sessions where ${isWaiting(sql, quietPeriodMs)} order by id limit 1)`;

/**
 * Lists up to `limit` sessions after this id whose price waits for readings, oldest first. A session that has a price waits until no
 * readings came for `quietMs`, and while it is on an invoice until that is credited.
 */
export async function listPendingCosts(
  sql: Queryable,
  after: bigint,
  limit: number,
  quietMs: number,
): Promise<PendingSession[]> {
  return sql<PendingSession[]>`
    select id, uuid, charger_id as "chargerId", started_at as "startedAt", ended_at as "endedAt", version,
      energy_wh as "energyWh", tariff, idle_periods as "idlePeriods",
      idle_started_at as "idleStartedAt", idle_cause as "idleCause", reserved_at as "reservedAt",
      reservation_end as "reservationEnd", live_at as "liveAt", updated_at as "pendingSince",
      price_readings = 'LATE' as "isPriced"
    from sessions
    where ${isWaiting(sql, quietMs)} and id > ${String(after)}::bigint
    order by id limit ${limit}`;
}
