import { remoteStartDeadlines, remoteStartTransitions } from '#shared/domain/charging/remote-start.ts';
import type { SessionLimits, SessionStop } from '#shared/domain/charging/session.ts';
import type { Fragment, Queryable, Transaction } from '#shared/postgres/kernel/client.ts';
import { bindHold, unbindHold, unbindPayer } from '#shared/postgres/money/wallet-holds.ts';
import { clearLimits, takeLimits } from './session-writes/limits.ts';

// Every statement that writes remote_starts. States and events: shared/domain/charging/remote-start.ts.

/** Remote start to store before its charger receives it. */
export interface NewRemoteStart {
  uuid: string;
  chargerId: number;
  idToken: string;
  /** Null: the charger chooses the EVSE. */
  evse: number | null;
  /** Null for a raw OCPP 1.6 command, which has no such number. */
  remoteStartId: number | null;
  limits: SessionLimits | null;
  expiresAt: Date;
}

/** Remote start that occupies its connector and its driver while it is pending. */
interface RemoteStartClaim extends NewRemoteStart {
  evse: number;
  connectorId: number;
  /** Null: the token belongs to no driver. */
  userId: number | null;
}

/** Stored remote start. */
export interface StoredRemoteStart {
  id: bigint;
  uuid: string;
  requestedAt: Date;
  expiresAt: Date;
}

/** Unique uuid of a remote start. */
export const startUuid = 'remote_starts_uuid_key';

/**
 * Stores a remote start of an operator or a partner, which occupies neither its connector nor its driver. Violates `startUuid` if the
 * start is stored.
 */
export async function insertRemoteStart(sql: Queryable, start: NewRemoteStart): Promise<StoredRemoteStart> {
  const [row] = await sql<StoredRemoteStart[]>`
    with requested as (${insert(sql, start, null, null)} returning *), ${requestEvent(sql)}
    select ${stored(sql)} from requested`;
  if (row === undefined) throw new Error('the insert of a remote start returned no row');
  return row;
}

/**
 * Stores a remote start that occupies its connector and its driver. Returns null while another one occupies
 * either, or if the start with this uuid is stored. Of two
 * concurrent claims, one waits for the other on the unique indexes.
 */
export async function claimRemoteStart(
  transaction: Transaction,
  claim: RemoteStartClaim,
): Promise<StoredRemoteStart | null> {
  const { chargerId, evse, connectorId, userId } = claim;
  // The insert reads `overdue`, so the overdue claims end before the unique indexes are checked.
  const [row] = await transaction<StoredRemoteStart[]>`
    with overdue as (
      update remote_starts set status = 'expired'
      where status = 'pending' and expires_at <= now() and connector_id is not null
        and ((charger_id = ${chargerId} and evse = ${evse}) or user_id = ${userId}::integer)
      returning id
    ), requested as (
      ${insert(transaction, claim, connectorId, userId)} from (select count(*) from overdue) ended
      on conflict do nothing
      returning *
    ), ${requestEvent(transaction)}
    select ${stored(transaction)} from requested`;
  return row ?? null;
}

/** Common table expression that writes the event of a stored remote start, whose session does not exist yet. */
const requestEvent = (sql: Queryable) => sql`
  event as (
    insert into outbox (network_id, type, subject_id, subject_uuid, charger_id, data)
    select c.network_id, 'session.requested', r.id, r.uuid, c.id, jsonb_build_object('evse', r.evse,
      'connectorId', (select k.uuid from connectors k where k.id = r.connector_id),
      'driverId', (select u.uuid from users u where u.id = r.user_id), 'expiresAt', r.expires_at)
    from requested r join chargers c on c.id = r.charger_id
  )`;

const insert = (
  sql: Queryable,
  { uuid, chargerId, idToken, evse, remoteStartId, limits, expiresAt }: NewRemoteStart,
  connectorId: number | null,
  userId: number | null,
) => sql`
  insert into remote_starts (uuid, charger_id, connector_id, evse, user_id, id_token, remote_start_id, max_cost_minor,
    max_duration_s, max_energy_wh, expires_at)
  select ${uuid}::uuid, ${chargerId}::integer, ${connectorId}::integer, ${evse}::integer, ${userId}::integer, ${idToken}::text,
    ${remoteStartId}::integer, ${limits?.maxCostMinor ?? null}::bigint, ${limits?.maxDurationSeconds ?? null}::integer,
    ${limits?.maxEnergyWh ?? null}::double precision, ${expiresAt}::timestamptz`;

const stored = (sql: Queryable) => sql`
  id, uuid, requested_at as "requestedAt", expires_at as "expiresAt"`;

/** Ends a pending remote start whose session cannot come. */
export async function refuseRemoteStart(sql: Queryable, uuid: string): Promise<void> {
  const { from, to } = remoteStartTransitions.refuse;
  await sql`update remote_starts set status = ${to} where uuid = ${uuid} and status in ${sql(from)}`;
}

/** Ends a pending remote start whose session may still come late. */
export async function expireRemoteStart(sql: Queryable, uuid: string): Promise<void> {
  const { from, to } = remoteStartTransitions.expire;
  await sql`update remote_starts set status = ${to} where uuid = ${uuid} and status in ${sql(from)}`;
}

/** The condition that a pending remote start has passed its deadline. */
export const areStartsExpired = (sql: Queryable): Fragment =>
  sql`exists (select from remote_starts where status = 'pending' and expires_at <= now())`;

/** Ends every pending remote start whose deadline has passed (field note 21). Returns their number. */
export async function expireRemoteStarts(sql: Queryable): Promise<number> {
  // The status is a literal: the partial index on expires_at needs it.
  const { count } = await sql`
    update remote_starts set status = 'expired' where status = 'pending' and expires_at <= now()`;
  return count;
}

/**
 * Returns true when a session was requested of the charger of a session `s` in the time in which it would bind
 * to that request.
 */
export const isRequested = (sql: Queryable, s: Fragment) => sql`
  exists (
    select 1 from remote_starts r
    where r.charger_id = ${s}.charger_id and r.status in ('pending', 'expired')
      and r.requested_at between ${s}.created_at - ${lateSession(sql)} and ${s}.created_at)`;

const lateSession = (sql: Queryable) =>
  sql`make_interval(secs => ${remoteStartDeadlines.lateSessionMs / 1000})`;

/** Time from the expiry of a remote start to the end of its limits, in seconds. */
const limitsAfterExpirySeconds = (remoteStartDeadlines.limitsMs - remoteStartDeadlines.pendingMs) / 1000;

/**
 * Binds a session to the remote start that requested it, and gives it the limits and the wallet hold of that start. Matches
 * by the session's remoteStartId (2.0.1), else by token and connector, the newest first. A late session binds to an expired
 * start, unless a newer start was bound. A session that names its start may have begun before the request, when a plugged
 * cable began it (E02).
 */
export async function bindRemoteStart(
  sql: Queryable,
  chargerId: number,
  session: { uuid: string; idToken: string | null; evse: number; remoteStartId: number | null },
): Promise<void> {
  const { uuid, idToken, evse, remoteStartId } = session;
  const { from, to } = remoteStartTransitions.bind;
  await sql`
    with bound as (
      update remote_starts r set status = ${to}, session_id = s.id
      from sessions s
      where s.uuid = ${uuid} and not exists (select 1 from remote_starts where session_id = s.id) and r.id = (
        select id from remote_starts requested
        where charger_id = ${chargerId} and status in ${sql(from)}
          and requested_at >= s.created_at - ${lateSession(sql)}
          and case when ${remoteStartId}::integer is null
            -- A repeated report of an earlier session does not bind to a later request.
            then requested_at <= s.created_at and not ${endedBefore(sql, sql`requested_at`)}
              and lower(id_token) = lower(${idToken}) and coalesce(evse, ${evse}) = ${evse}
              and (status = 'pending' or not exists (
                select 1 from remote_starts
                where charger_id = ${chargerId} and id > requested.id and status = 'started'
                  and lower(id_token) = lower(${idToken}) and coalesce(evse, ${evse}) = ${evse}))
            else remote_start_id = ${remoteStartId} end
        order by (status = 'pending') desc, id desc limit 1 for update)
      returning r.id, r.session_id, r.max_cost_minor, r.max_duration_s, r.max_energy_wh,
        s.status in ('ACTIVE', 'STOPPING')
          and r.expires_at + make_interval(secs => ${limitsAfterExpirySeconds}) > now() as takes_limits
    ), held as (
      ${bindHold(sql, sql`bound`)}
    )
    ${takeLimits(sql, sql`bound`)}`;
}

/**
 * Condition that a stopped session `s` ended before a time: its end is earlier by the charger's clock, and it lasted longer
 * than the time since. The duration is right to less than a minute even when the clock is hours behind. A clock that is
 * corrected during the session reports a later end.
 */
export const endedBefore = (sql: Queryable, at: Fragment) => sql`
  coalesce(s.ended_at < ${at}
    and s.stop_received_at - (s.ended_at - s.started_at) < ${at} - interval '1 minute', false)`;

/** A locked session as the row `s`, with the end that it is about to get. */
export const stoppedSession = (
  sql: Queryable,
  sessionId: bigint,
  { endedAt, receivedAt }: Pick<SessionStop, 'endedAt' | 'receivedAt'>,
) => sql`(
  select id, started_at, remote_start_id, ${endedAt}::timestamptz as ended_at, ${receivedAt}::timestamptz as stop_received_at
  from sessions where id = ${sessionId}) s`;

/**
 * Unbinds a locked session, which is about to end with this stop, from its remote start when the session ended before the
 * request. Such a charger was offline and reported the session late; 1.6 identifies a start only by its token.
 */
export async function unbindEarlierSession(
  transaction: Transaction,
  sessionId: bigint,
  stop: Pick<SessionStop, 'endedAt' | 'receivedAt'>,
): Promise<void> {
  const { count } = await transaction`
    update remote_starts r set ${waitAgain(transaction)} from ${stoppedSession(transaction, sessionId, stop)}
    where r.session_id = s.id and s.remote_start_id is null and ${endedBefore(transaction, transaction`r.requested_at`)}`;
  if (count === 0) return;
  await clearLimits(transaction, sessionId);
  await unbindHold(transaction, sessionId);
}

/**
 * Unbinds a session from a remote start with another token. The session was bound by the token that stopped it, and its late
 * start shows the right one.
 */
export async function unbindOtherToken(transaction: Transaction, sessionId: bigint): Promise<void> {
  const { count } = await transaction`
    update remote_starts r set ${waitAgain(transaction)} from sessions s
    where s.id = ${sessionId} and r.session_id = s.id and (r.remote_start_id = s.remote_start_id) is not true
      and lower(r.id_token) <> lower(s.id_token)`;
  if (count === 0) return;
  await clearLimits(transaction, sessionId);
  await unbindPayer(transaction, sessionId);
}

/**
 * Assignments of the events `resume` and `unbind`: a start `r` waits for its session again while its deadline has not passed and
 * no other start occupies its connector or its driver.
 */
const waitAgain = (sql: Queryable) => sql`
  session_id = null, status = case
    when r.expires_at > now() and not exists (
      select 1 from remote_starts o where o.status = 'pending' and o.connector_id is not null
        and ((o.charger_id = r.charger_id and o.evse = r.evse) or o.user_id = r.user_id))
    then ${remoteStartTransitions.resume.to} else ${remoteStartTransitions.unbind.to} end`;
