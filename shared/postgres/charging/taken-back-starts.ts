import type { SessionStop } from '#shared/domain/charging/session.ts';
import type { Fragment, Queryable, Transaction } from '#shared/postgres/kernel/client.ts';
import { returnLimits } from './session-writes/limits.ts';
import { withdrawCommand } from './session-writes/requests.ts';

/**
 * The condition that a stopped session `s` was over when something was asked for: it ended before by its charger's clock,
 * and lasted longer than there was time for since. A clock that is hours behind tells as well as a right one how long a
 * session lasted, to less than a minute; one that is put right meanwhile tells that it ended after.
 */
export const wasOverBefore = (sql: Queryable, at: Fragment) => sql`
  coalesce(s.ended_at < ${at}
    and s.stop_received_at - (s.ended_at - s.started_at) < ${at} - interval '1 minute', false)`;

/**
 * Takes back that a locked session, which is about to end with this stop, is what its charger was asked for, where it was
 * over before: the charger had kept it while it was offline, and 1.6 names a start by its token alone. The start waits on
 * for its session, with its limits, its hold, and the partner's word.
 */
export async function takeBackStart(
  transaction: Transaction,
  sessionId: bigint,
  { endedAt, receivedAt }: Pick<SessionStop, 'endedAt' | 'receivedAt'>,
): Promise<void> {
  const stopped = transaction`(
    select id, started_at, remote_start_id, ${endedAt}::timestamptz as ended_at, ${receivedAt}::timestamptz as stop_received_at
    from sessions where id = ${sessionId}) s`;
  const [start] = await transaction<{ id: bigint }[]>`
    update remote_starts r set ${waitsAgain(transaction)} from ${stopped}
    where r.session_id = s.id and s.remote_start_id is null
      and ${wasOverBefore(transaction, transaction`r.requested_at`)}
    returning r.id`;
  if (start !== undefined) await returnLimits(transaction, sessionId, start.id);
  const words = await transaction`
    update ocpi_authorizations a set session_id = null
    from ${stopped}
    where a.session_id = s.id and a.auth_method = 'COMMAND'
      and ${wasOverBefore(transaction, transaction`a.given_at`)}`;
  if (words.count === 0) return;
  // Nobody was asked about its token when it began (OCPI 2.2.1 §10.4.1).
  await withdrawCommand(transaction, sessionId);
}

/**
 * Unbinds a session from a remote start that asked for another one: it was bound by the token of who stopped it. The start
 * waits on with its limits and what was set aside for it, which is given back where no session begins (`listExpiredHolds`).
 */
export async function leaveRemoteStart(transaction: Transaction, sessionId: bigint): Promise<void> {
  const [start] = await transaction<{ id: bigint }[]>`
    update remote_starts r set ${waitsAgain(transaction)} from sessions s
    where s.id = ${sessionId} and r.session_id = s.id and (r.remote_start_id = s.remote_start_id) is not true
      and lower(r.id_token) <> lower(s.id_token)
    returning r.id`;
  if (start === undefined) return;
  await returnLimits(transaction, sessionId, start.id);
  // One that was opened already comes back with what it paid.
  await transaction`update wallet_holds set session_id = null where session_id = ${sessionId}`;
}

/** The assignments that let a start `r` wait for its session again, while its time lasts and no other one waits. */
const waitsAgain = (sql: Queryable) => sql`
  session_id = null, status = case
    when r.expires_at > now() and not exists (
      select 1 from remote_starts o where o.status = 'pending' and o.connector_id is not null
        and ((o.charger_id = r.charger_id and o.evse = r.evse) or o.user_id = r.user_id)) then 'pending'
    else 'expired' end`;
