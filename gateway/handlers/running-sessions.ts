import { isSamePosition } from '#shared/domain/fleet/charger.ts';
import { noReadings } from '#shared/domain/charging/session-meter.ts';
import { meterStartMissing, type SessionStart, startMissing } from '#shared/domain/charging/session.ts';
import type { RunningSession } from '#shared/postgres/charging/running-sessions.statements.ts';
import type { StartedSession } from '#shared/postgres/charging/session-writes/start.statements.ts';
import type { Context } from './context.ts';

/** Adds a session to those that the connection knows, so that readings need no query. */
export function rememberSession(
  context: Pick<Context, 'running'>,
  session: StartedSession,
  { position, flags }: SessionStart,
): void {
  const { uuid, transactionId, status, startedAt, meterStartWh, ratedPowerW } = session;
  const isAssumed = session.flags.includes(meterStartMissing) || session.flags.includes(startMissing);
  if (status !== 'ACTIVE' && status !== 'STOPPING') return;
  if (context.running.some((running) => running.uuid === uuid)) return;
  // A transaction id that is used again refers to its newest session.
  const former = context.running.findIndex((running) => running.transactionId === transactionId);
  if (former !== -1) context.running.splice(former, 1);
  const running: RunningSession = {
    uuid,
    transactionId,
    position,
    startedAt,
    startWh: isAssumed ? null : meterStartWh,
    ratedPowerW,
    meter: noReadings,
    hasNamedPower: false,
    powerless: null,
    isFree: false,
    isFollowed: false,
    takesLimits: null,
  };
  context.running.push(running);
  // The connector of a session without its start is an assumption.
  if (!flags.includes(startMissing)) noteFollowed(context, running);
}

/** Records which of the sessions at a connector follows another, in any order of arrival. */
export function noteFollowed({ running }: Pick<Context, 'running'>, session: RunningSession): void {
  for (const other of running) {
    if (!isSamePosition(other.position, session.position)) continue;
    if (other.startedAt < session.startedAt) other.isFollowed = true;
    if (other.startedAt > session.startedAt) session.isFollowed = true;
  }
}
