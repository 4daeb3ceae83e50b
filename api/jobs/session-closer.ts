import { energyEstimated } from '#shared/domain/charging/final-energy.ts';
import { estimated } from '#shared/domain/charging/session.ts';
import type { Sql, Transaction } from '#shared/postgres/kernel/client.ts';
import {
  type ClosableSession,
  type ClosingDelays,
  lockClosableSessions,
} from '#shared/postgres/charging/session-closing.ts';
import { completeSession } from '#shared/postgres/charging/session-writes/price.statements.ts';
import { settleSession } from '#shared/pricing/settle-session.ts';

/** Events of 2.0.1 may come out of order, and a charger repeats a stop for minutes; a day offline is no outage. */
const closingDelays: ClosingDelays = { delayMs: 5 * 60_000, offlineMs: 24 * 60 * 60_000 };

const sessionsAtOnce = 50;

/**
 * Closes the sessions whose stop is unlikely to arrive (field note 19) from their last reading, as estimated,
 * with the sign of the missing stop. The real stop amends them. Any number of processes can run this. Ends after a
 * batch when the process stops.
 */
export async function closeAbandonedSessions(
  sql: Sql,
  delays = closingDelays,
  stopping = AbortSignal.any([]),
): Promise<void> {
  while (!stopping.aborted) {
    const closed = await sql.begin(async (transaction) => {
      const sessions = await lockClosableSessions(transaction, delays, sessionsAtOnce);
      for (const session of sessions) await close(transaction, session);
      return sessions.length;
    });
    if (closed < sessionsAtOnce) return;
  }
}

async function close(transaction: Transaction, session: ClosableSession): Promise<void> {
  const endedAt = session.lastKnownAt;
  const result = settleSession(session, { endedAt, meterEndWh: null });
  // A charger that is silent may have charged on.
  if (session.sign === 'offline') result.flags.push(energyEstimated);
  // The flag `estimated` already says that the final register is missing.
  const settled = result.flags.filter((flag) => flag !== 'meter-stop-missing');
  const flags = [...new Set([...session.flags, ...settled, estimated, `closed-${session.sign}`])];
  const ending = { endedAt, receivedAt: null, meterStopWh: null, reason: null };
  await completeSession(transaction, session, ending, { ...result, flags });
}
