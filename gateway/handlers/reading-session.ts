import type { MeterReport } from '#shared/domain/charging/session.ts';
import { namesTransaction } from '#shared/domain/charging/transaction-id.ts';
import type { RunningSession } from '#shared/postgres/charging/running-sessions.statements.ts';

/**
 * Session that readings belong to.
 *
 * | transaction of the readings | session | `isNamed` |
 * |---|---|---|
 * | a running session's | that one | yes |
 * | an ended session's | that one; one that was closed by an estimate or by a stop of another transaction runs again | yes |
 * | none: absent, null, 0, −1, 2³¹−1, 2⁶³−1, '' | the only one that runs at the EVSE | no |
 * | not known here | the only one that runs at the EVSE | no |
 *
 * Where several sessions run at the EVSE, or none, the readings are stored without a session. A session that another one followed,
 * or whose connector was reported free, does not run in this sense.
 */
interface ReadingSession {
  session: RunningSession;
  /** The readings name the session's transaction. */
  isNamed: boolean;
}

/** Flag of readings that could belong to several sessions. */
export const sessionAmbiguous = 'session-ambiguous';

/** Flag of readings whose transaction is not known. */
export const transactionUnknown = 'transaction-unknown';

/** Returns the session of readings that needs no query, or null. */
export function runningSessionOf(
  running: readonly RunningSession[],
  report: Pick<MeterReport, 'transactionId' | 'position'>,
): ReadingSession | null {
  const { transactionId } = report;
  for (let index = transactionId === null ? -1 : running.length - 1; index >= 0; index -= 1) {
    const session = running[index]!;
    if (session.transactionId === transactionId) return { session, isNamed: true };
  }
  return namesTransaction(transactionId) ? null : onlySessionAt(running, report);
}

/** Returns the only session that runs at the EVSE of readings, or null. */
export function onlySessionAt(
  running: readonly RunningSession[],
  { position }: Pick<MeterReport, 'position'>,
): ReadingSession | null {
  let only: RunningSession | null = null;
  for (const session of running) {
    if (!runsAt(session, position.evse)) continue;
    if (only !== null) return null;
    only = session;
  }
  return only === null ? null : { session: only, isNamed: false };
}

/** Returns true when several sessions run at the EVSE of readings. */
export function isAmbiguous(
  running: readonly RunningSession[],
  { position }: Pick<MeterReport, 'position'>,
): boolean {
  return running.filter((session) => runsAt(session, position.evse)).length > 1;
}

function runsAt({ position, isFree, isFollowed }: RunningSession, evse: number): boolean {
  return position.evse === evse && !isFree && !isFollowed;
}
