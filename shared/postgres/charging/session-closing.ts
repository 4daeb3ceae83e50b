import { amended, estimated, type MissingStopSign, stopReconciled } from '#shared/domain/charging/session.ts';
import type { SessionStop } from '#shared/domain/charging/session.ts';
import type { Queryable, Transaction } from '#shared/postgres/kernel/client.ts';
import { hasCharged } from '#shared/postgres/fleet/charged-sessions.ts';
import { type LockedSession, selectLocked } from './sessions.statements.ts';
import { lockWalletsOf } from '#shared/postgres/money/wallet-holds.ts';

/** A running session whose stop is unlikely to arrive. */
export interface ClosableSession extends LockedSession {
  sign: MissingStopSign;
  /** Best known end: the stop, else the newest sign of activity. */
  lastKnownAt: Date;
}

/** Delays for which each sign of a missing stop can have another explanation, such as reordered messages. */
export interface ClosingDelays {
  delayMs: number;
  offlineMs: number;
}

/**
 * Locks and returns up to `limit` running sessions whose stop is missing: another one began at the connector,
 * it is Available, or the charger was not seen for long. Leaves out sessions that another process is closing
 * or that are still metered. Locks their wallets too, since one transaction settles them all.
 */
export async function lockClosableSessions(
  transaction: Transaction,
  { delayMs, offlineMs }: ClosingDelays,
  limit: number,
): Promise<ClosableSession[]> {
  const delay = transaction`make_interval(secs => ${delayMs / 1000})`;
  const signs = await transaction<{ id: bigint; sign: MissingStopSign; lastKnownAt: Date }[]>`
    select s.id,
      case when next.started_at is not null then 'next-start' when s.free_since <= now() - ${delay} then 'available'
        else 'offline' end as sign,
      least(next.started_at, greatest(s.started_at, s.live_at, s.activity_at)) as "lastKnownAt"
    from sessions s join chargers c on c.id = s.charger_id
    left join lateral (
      select n.started_at from sessions n
      where n.charger_id = s.charger_id and n.connector_id = s.connector_id and n.started_at > s.started_at
        and ${hasCharged(transaction)}
        and n.start_received_at <= now() - ${delay}
        and coalesce(s.live_at, s.started_at) <= n.started_at + ${delay}
      order by n.started_at limit 1
    ) next on true
    where s.status in ('ACTIVE', 'STOPPING')
      and (next.started_at is not null or s.free_since <= now() - ${delay}
        or greatest(c.last_heartbeat_at, s.start_received_at) <= now() - make_interval(secs => ${offlineMs / 1000}))
    order by s.id limit ${limit}
    for update of s skip locked`;
  if (signs.length === 0) return [];
  const sessions = await transaction<LockedSession[]>`
    ${selectLocked(transaction)} where s.id = any(${signs.map(({ id }) => String(id))}::bigint[])
    order by s.id`;
  await lockWalletsOf(
    transaction,
    sessions.map(({ id }) => id),
  );
  return sessions.flatMap((session) => {
    const found = signs.find(({ id }) => id === session.id);
    return found === undefined ? [] : [{ ...session, sign: found.sign, lastKnownAt: found.lastKnownAt }];
  });
}

/**
 * Locks and returns the sessions of a charger that a stop can belong to although it names another
 * transaction: they run or were closed from their last reading, and began before it, with its token where it has one.
 */
export async function lockStopCandidates(
  transaction: Transaction,
  chargerId: number,
  { endedAt, idToken }: SessionStop,
): Promise<LockedSession[]> {
  return transaction<LockedSession[]>`
    ${selectLocked(transaction)}
    where s.charger_id = ${chargerId} and s.started_at <= ${endedAt}
      and (s.status in ('ACTIVE', 'STOPPING')
        or (s.flags @> ${[estimated]}::text[] and not s.flags @> ${[amended]}::text[]
          and s.price_decision is distinct from 'AMENDED'))
      and (${idToken}::text is null or lower(s.id_token) = lower(${idToken}))
    order by s.id for update`;
}

/** Returns true for a charger with one connector. */
export async function hasOneConnector(sql: Queryable, chargerId: number): Promise<boolean> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::integer as count from connectors where charger_id = ${chargerId} and deleted_at is null`;
  return row?.count === 1;
}

/** Returns whether this stop was already reconciled with a session: a repetition of the charger. */
export async function isReconciled(sql: Queryable, chargerId: number, stop: SessionStop): Promise<boolean> {
  const [row] = await sql<{ found: boolean }[]>`
    select exists (
      select 1 from sessions
      where charger_id = ${chargerId} and ended_at = ${stop.endedAt}
        and meter_stop_wh is not distinct from ${stop.meterStopWh}::double precision
        and flags @> ${[stopReconciled]}::text[]
    ) as found`;
  return row?.found ?? false;
}

/** Keeps a stop that fits no session; the same one again changes nothing. */
export async function keepUnmatchedStop(sql: Queryable, chargerId: number, stop: SessionStop): Promise<void> {
  const said = { ...stop, endedAt: stop.endedAt.toISOString(), receivedAt: stop.receivedAt.toISOString() };
  await sql`
    insert into unmatched_stops (charger_id, ocpp_transaction_id, stop, received_at)
    values (${chargerId}, ${stop.transactionId}, ${sql.json(said)}, ${stop.receivedAt})
    on conflict do nothing`;
}
