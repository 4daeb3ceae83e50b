import type { LimitName, SessionLimits } from '#shared/domain/charging/session.ts';
import type { Fragment, Queryable, Sql, Transaction } from '#shared/postgres/kernel/client.ts';

/**
 * Statement that gives sessions the limits of their remote starts; `bound` has the columns session_id and takes_limits, and those
 * of the limits.
 */
export const takeLimits = (sql: Queryable, bound: Fragment) => sql`
  update sessions s set max_cost_minor = b.max_cost_minor, max_duration_s = b.max_duration_s,
    max_energy_wh = b.max_energy_wh, updated_at = now()
  from ${bound} b
  where s.id = b.session_id and b.takes_limits
    and (b.max_cost_minor is not null or b.max_duration_s is not null or b.max_energy_wh is not null)`;

/** Removes the limits of a session that was unbound from its remote start. A session whose wallet ran empty keeps that. */
export async function clearLimits(transaction: Transaction, sessionId: bigint): Promise<void> {
  await transaction`
    update sessions set max_cost_minor = null, max_duration_s = null, max_energy_wh = null,
      limit_passed = case when limit_passed = 'WalletBalance' then limit_passed end
    where id = ${sessionId} and (max_cost_minor is not null or max_duration_s is not null or max_energy_wh is not null)`;
}

/** Replaces the limits of a locked, running session, and resets what was stored about a passed limit. */
export async function updateLimits(
  transaction: Transaction,
  id: bigint,
  { maxCostMinor, maxDurationSeconds, maxEnergyWh }: SessionLimits,
): Promise<void> {
  await transaction`
    update sessions set max_cost_minor = ${maxCostMinor}, max_duration_s = ${maxDurationSeconds},
      max_energy_wh = ${maxEnergyWh}, limit_passed = null, stop_attempts = 0, stop_next_at = null, updated_at = now()
    where id = ${String(id)}`;
}

/** Seconds between two requests to stop a session: doubled after each, up to the longest. */
export interface StopBackoff {
  firstSeconds: number;
  longestSeconds: number;
}

/**
 * Claims the stops of these sessions, which passed a limit, and returns the ids of those that no other process claimed. When
 * this process ends before it requested them, they are due again after the back-off.
 */
export async function claimStops(
  sql: Sql,
  stops: readonly { id: bigint; passed: LimitName }[],
  { firstSeconds, longestSeconds }: StopBackoff,
): Promise<Set<bigint>> {
  if (stops.length === 0) return new Set();
  const rows = await sql<{ id: bigint }[]>`
    with due as materialized (
      select s.id, p.passed
      from sessions s
      join unnest(${stops.map(({ id }) => String(id))}::bigint[], ${stops.map(({ passed }) => passed)}::text[])
        as p(id, passed) on p.id = s.id
      where s.status in ('ACTIVE', 'STOPPING') and (s.stop_next_at is null or s.stop_next_at <= now())
      order by s.id for update of s skip locked
    )
    update sessions s set limit_passed = due.passed, stop_attempts = s.stop_attempts + 1,
      stop_next_at = now() + make_interval(secs => least(${longestSeconds}::double precision,
        ${firstSeconds} * power(2, least(s.stop_attempts, 30)))),
      updated_at = now()
    from due where s.id = due.id
    returning s.id`;
  return new Set(rows.map(({ id }) => id));
}
