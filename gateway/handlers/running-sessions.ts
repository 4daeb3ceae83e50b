import { isSamePosition } from '#shared/domain/fleet/charger.ts';
import { beginCount } from '#shared/domain/charging/register-count.ts';
import { type SessionStart, startMissing } from '#shared/domain/charging/session.ts';
import type { RunningSession } from '#shared/postgres/charging/running-sessions.ts';
import type { StartedSession } from '#shared/postgres/charging/session-writes/start.ts';
import type { Context } from './context.ts';

/** The connection knows what runs at its charger, so that readings need no question to PostgreSQL. */
export function rememberSession(
  context: Pick<Context, 'running'>,
  session: StartedSession,
  { position, flags }: SessionStart,
): void {
  const { uuid, transactionId, status, startedAt, meterStartWh } = session;
  if (status !== 'ACTIVE' && status !== 'STOPPING') return;
  if (context.running.some((running) => running.uuid === uuid)) return;
  // What comes with a transaction id that is used again is of the session that it names now.
  const former = context.running.findIndex((running) => running.transactionId === transactionId);
  if (former !== -1) context.running.splice(former, 1);
  const count = beginCount(meterStartWh, startedAt);
  const running: RunningSession = {
    uuid,
    transactionId,
    position,
    startedAt,
    meterStartWh,
    count,
    powerless: null,
    isFree: false,
    isFollowed: false,
  };
  context.running.push(running);
  // Where it began may only be assumed until its start is told.
  if (!flags.includes(startMissing)) noteFollowed(context, running);
}

/** Notes which of a session and the others at its connector another one followed, in whatever order they are told. */
export function noteFollowed({ running }: Pick<Context, 'running'>, session: RunningSession): void {
  for (const other of running) {
    if (!isSamePosition(other.position, session.position)) continue;
    if (other.startedAt < session.startedAt) other.isFollowed = true;
    if (other.startedAt > session.startedAt) session.isFollowed = true;
  }
}
