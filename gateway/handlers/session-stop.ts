import {
  amended,
  awaitsStop,
  notBefore,
  type SessionStop,
  stopReconciled,
} from '#shared/domain/charging/session.ts';
import { station } from '#shared/domain/fleet/charger.ts';
import type { Transaction } from '#shared/postgres/kernel/client.ts';
import type { LiveRecord } from '#shared/postgres/charging/session-writes/live-values.ts';
import {
  isReconciled,
  keepUnmatchedStop,
  lockStopCandidates,
} from '#shared/postgres/charging/session-closing.ts';
import { completeSession } from '#shared/postgres/charging/session-writes/price.ts';
import { type LockedSession, lockSession } from '#shared/postgres/charging/sessions.ts';
import { settledFlags, settleSession } from '#shared/pricing/settle-session.ts';
import { unbindEarlierSession } from '#shared/postgres/charging/remote-starts.ts';
import { unbindEarlierAuthorization } from '#shared/postgres/roaming/ocpi-authorizations.ts';
import type { Context } from './context.ts';

/** Transaction ids of chargers that never learned theirs. */
const namelessTransactions = new Set(['0', '-1']);

/**
 * Ends a session with its final energy and price. A repeated stop changes nothing, unless the session was closed by
 * estimate: then its end and cost are corrected in one transaction. A stop that fits no session is stored and
 * acknowledged, since a charger repeats a refused stop without end (field note 5). Returns the uuid of a session that was found by
 * other facts than its transaction, or null.
 */
export async function handleSessionStop(
  context: Context<'sql' | 'live' | 'watches'>,
  stop: SessionStop,
): Promise<string | null> {
  const { sql, live } = context.stores;
  const { stoppedUuid, isReconciled } = await sql.begin(async (transaction) => {
    const own = await lockSession(transaction, context.charger.id, stop.transactionId);
    const session = own ?? (await reconcile(transaction, context.charger.id, stop));
    if (session !== null && awaitsStop(session)) {
      await end(transaction, session, notBefore(session.startedAt, stop), live.get(session.uuid));
    }
    return { stoppedUuid: session?.uuid ?? null, isReconciled: own === null };
  });
  if (stoppedUuid === null) return null;
  live.delete(stoppedUuid);
  const ended = context.running.find(({ uuid }) => uuid === stoppedUuid)?.position ?? station;
  context.stores.watches.session(context.charger.id, { ...ended, sessionId: stoppedUuid, isRunning: false });
  const index = context.running.findIndex((running) => running.uuid === stoppedUuid);
  if (index !== -1) context.running.splice(index, 1);
  return isReconciled ? stoppedUuid : null;
}

/**
 * Returns the one session that a stop with an unknown transaction can belong to, by time, register and token, or null
 * when there is none or several: the stop is then stored. A transaction id that another back end assigned requires the
 * token.
 */
async function reconcile(
  transaction: Transaction,
  chargerId: number,
  stop: SessionStop,
): Promise<LockedSession | null> {
  if (await isReconciled(transaction, chargerId, stop)) return null;
  const isComparable = stop.idToken !== null || namelessTransactions.has(stop.transactionId);
  const candidates = isComparable ? await lockStopCandidates(transaction, chargerId, stop) : [];
  const [only] = candidates;
  if (only !== undefined && candidates.length === 1) return only;
  await keepUnmatchedStop(transaction, chargerId, stop);
  return null;
}

async function end(
  transaction: Transaction,
  session: LockedSession,
  stop: SessionStop,
  live: LiveRecord | undefined,
): Promise<void> {
  const result = settleSession(withLive(session, live), {
    endedAt: stop.endedAt,
    meterEndWh: stop.meterStopWh,
  });
  const kept =
    session.endedAt === null ? session.flags : session.flags.filter((flag) => !settledFlags.has(flag));
  const flags = new Set([...kept, ...stop.flags, ...result.flags]);
  if (stop.transactionId !== session.transactionId) flags.add(stopReconciled);
  if (session.endedAt !== null) flags.add(amended);
  // The stop was reported before the session started, by the charger's clock: requests since then may concern
  // another session.
  if (stop.endedAt < session.startReceivedAt) {
    await unbindEarlierSession(transaction, session.id, stop);
    await unbindEarlierAuthorization(transaction, session.id, stop);
  }
  await completeSession(
    transaction,
    session,
    { ...stop, liveAt: live?.time },
    { ...result, flags: [...flags] },
  );
}

/** Adds live values that the shard has not written yet, which matter most for a stop without register. */
function withLive(session: LockedSession, live: LiveRecord | undefined): LockedSession {
  if (live === undefined) return session;
  return {
    ...session,
    energyWh: Math.max(session.energyWh, live.energyWh ?? 0),
    registerCount: live.count ?? session.registerCount,
    peakPowerW: Math.max(session.peakPowerW ?? 0, live.peakPowerW ?? 0) || null,
  };
}
