import { limitsExpireMs } from '#shared/domain/charging/remote-start.ts';
import type { LimitName, SessionLimits } from '#shared/domain/charging/session.ts';
import type { Queryable, Sql, Transaction } from '#shared/postgres/kernel/client.ts';

/** Moves the pending limits and the hold of a remote start to the running session that is bound to it (`bindRemoteStart`). */
export async function takeLimits(sql: Queryable, uuid: string): Promise<void> {
  await sql`
    with taken as (
      delete from pending_session_limits p using sessions s, remote_starts r
      where s.uuid = ${uuid} and s.status in ('ACTIVE', 'STOPPING')
        and r.charger_id = s.charger_id and r.session_id = s.id
        and p.charger_id = r.charger_id and p.remote_start_id = r.remote_start_id and p.expires_at > now()
      returning p.max_cost_minor, p.max_duration_s, p.max_energy_wh, p.hold_id
    ), held as (
      update wallet_holds h set session_id = s.id from taken t, sessions s
      where h.id = t.hold_id and h.status = 'held' and s.uuid = ${uuid}
        and not exists (select 1 from wallet_holds where session_id = s.id)
    )
    update sessions s set max_cost_minor = t.max_cost_minor, max_duration_s = t.max_duration_s,
      max_energy_wh = t.max_energy_wh, updated_at = now()
    from taken t where s.uuid = ${uuid}`;
}

/**
 * Returns the limits and the hold of a session to the remote start that it was bound to, which waits for its session again. A
 * session whose wallet ran empty keeps that.
 */
export async function returnLimits(
  transaction: Transaction,
  sessionId: bigint,
  startId: bigint,
): Promise<void> {
  await transaction`
    with hold as (
      update wallet_holds set session_id = null where session_id = ${sessionId} and status = 'held' returning id
    ), waiting as (
      insert into pending_session_limits (charger_id, remote_start_id, max_cost_minor, max_duration_s, max_energy_wh,
        hold_id, expires_at)
      select r.charger_id, r.remote_start_id, s.max_cost_minor, s.max_duration_s, s.max_energy_wh, (select id from hold),
        r.requested_at + make_interval(secs => ${limitsExpireMs / 1000})
      from remote_starts r, sessions s
      where r.id = ${startId} and r.remote_start_id is not null and s.id = ${sessionId}
        and (s.max_cost_minor is not null or s.max_duration_s is not null or s.max_energy_wh is not null
          or exists (select 1 from hold))
    )
    update sessions set max_cost_minor = null, max_duration_s = null, max_energy_wh = null,
      limit_passed = case when limit_passed = 'WalletBalance' then limit_passed end
    where id = ${sessionId}`;
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
