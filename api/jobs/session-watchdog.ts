import type { ApiDeps } from '#api/services/deps.ts';
import { send } from '#api/services/commands/send.ts';
import { runningReadings } from '#api/services/charging/session-readings.ts';
import { DomainError } from '#shared/domain/kernel/errors.ts';
import type { LimitName } from '#shared/domain/charging/session.ts';
import type { Logger } from '#shared/log/log.ts';
import { claimStops, type StopBackoff } from '#shared/postgres/charging/session-writes/limits.ts';
import {
  type LimitedSession,
  listLimitedSessions,
  storeLimitChecks,
} from '#shared/postgres/charging/session-limits.statements.ts';
import { markStopping } from '#shared/postgres/charging/session-writes/requests.statements.ts';
import { nextChecks, sessionsOver } from './limit-checks.ts';

/** A connected charger ends a session within seconds; an offline one can stay so for long. */
const backoff: StopBackoff = { firstSeconds: 15, longestSeconds: 600 };

/** Less than the first back-off, so that a session is never asked to stop twice at once. */
const stopTimeoutMs = 10_000;

/**
 * Asks the chargers of all sessions that passed a limit to stop them, and again with back-off until their stop is there. A session is
 * checked when it or its wallet changed, and when its time comes (limit-checks.ts). Any number of processes may run this, and any of
 * them may die: who takes a session on is in PostgreSQL.
 */
export async function stopSessionsOverLimit(
  deps: ApiDeps & { log: Logger },
  waits: StopBackoff = backoff,
): Promise<void> {
  const now = new Date();
  const sessions = await listLimitedSessions(deps.sql);
  if (sessions.length === 0) return;
  const readings = await runningReadings(deps, sessions, now);
  const over = sessionsOver(sessions, readings, now);
  const claimed = await claimStops(deps.sql, over, waits);
  await storeLimitChecks(deps.sql, nextChecks(sessions, over, readings, now));
  await Promise.all(over.filter(({ id }) => claimed.has(id)).map((session) => stop(deps, session)));
}

async function stop(
  deps: ApiDeps & { log: Logger },
  { uuid, transactionId, passed, ...session }: LimitedSession & { passed: LimitName },
): Promise<void> {
  const { chargerUid, chargerUuid, networkId } = session;
  const about = { session: uuid, charger: chargerUid, limit: passed };
  try {
    const command = { type: 'remote-stop', transactionId } as const;
    const charger = { uid: chargerUid, uuid: chargerUuid, networkId };
    const { accepted, status } = await send(deps, { part: 'session watchdog' }, charger, command, {
      timeoutMs: stopTimeoutMs,
    });
    if (accepted) await markStopping(deps.sql, uuid);
    deps.log.info(
      { ...about, accepted, status },
      'a session exceeded its limit; a stop was sent to its charger',
    );
  } catch (error) {
    // Tried again; an offline charger is nothing that the log should be full of.
    const reason = error instanceof DomainError ? { code: error.code } : { err: error };
    deps.log.info(
      { ...about, ...reason },
      'a session exceeded its limit; the stop could not be sent to its charger',
    );
  }
}
