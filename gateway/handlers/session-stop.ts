import {
  amended,
  awaitsStop,
  notBefore,
  type SessionStop,
  stopReconciled,
} from '#shared/domain/charging/session.ts';
import { canReach } from '#shared/domain/charging/final-energy.ts';
import { namesTransaction } from '#shared/domain/charging/transaction-id.ts';
import { station } from '#shared/domain/fleet/charger.ts';
import type { Transaction } from '#shared/postgres/kernel/client.ts';
import type { LiveRecord } from '#shared/postgres/charging/session-writes/live-values.ts';
import {
  isReconciled,
  keepUnmatchedStop,
  hasOneConnector,
  lockStopCandidates,
} from '#shared/postgres/charging/session-closing.ts';
import { completeSession } from '#shared/postgres/charging/session-writes/price.statements.ts';
import { type LockedSession, lockSession } from '#shared/postgres/charging/sessions.statements.ts';
import { settledFlags, settleSession } from '#shared/pricing/settle-session.ts';
import { unbindEarlierSession } from '#shared/postgres/charging/remote-starts.statements.ts';
import { unbindEarlierAuthorization } from '#shared/postgres/roaming/ocpi-authorizations.ts';
import type { Context } from './context.ts';

/**
 * Ends a session with its final energy and price. A repeated stop changes nothing, unless the session was closed by
 * estimate: then its end and cost are corrected in one transaction. A stop that fits no session is stored and
 * acknowledged, since a charger repeats a refused stop without end (field note 5). Returns the uuid of a session that was found by
 * other facts than its transaction, or null.
 */
export function handleSessionStop(
  context: Context<'sql' | 'live' | 'watches'>,
  stop: SessionStop,
): Promise<string | null> {
  return context.turns.run(() => storeStop(context, stop));
}

async function storeStop(
  context: Context<'sql' | 'live' | 'watches'>,
  stop: SessionStop,
): Promise<string | null> {
  const { sql, live } = context.stores;
  const { stoppedUuid, isReconciled } = await sql.begin(async (transaction) => {
    const own = await lockSession(transaction, context.charger.id, stop.transactionId);
    const session = own ?? (await reconcile(transaction, context.charger.id, stop, live));
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
 * Returns the one session that a stop with an unknown transaction can belong to, or null if no session or several sessions match: the stop is
 * then stored.
 *
 * | stop | session |
 * |---|---|
 * | with a token | the token's, which runs or was closed by an estimate |
 * | without a token, its id names no transaction, the charger has one connector | the one that runs or was closed by an estimate |
 * | any other | none |
 *
 * The session began before the stop, and its register can have reached that of the stop (`session-meter.ts`).
 */
async function reconcile(
  transaction: Transaction,
  chargerId: number,
  stop: SessionStop,
  live: Context<'live'>['stores']['live'],
): Promise<LockedSession | null> {
  if (await isReconciled(transaction, chargerId, stop)) return null;
  const isComparable =
    stop.idToken !== null ||
    (!namesTransaction(stop.transactionId) && (await hasOneConnector(transaction, chargerId)));
  const candidates = isComparable ? await lockStopCandidates(transaction, chargerId, stop) : [];
  const end = { atMs: stop.endedAt.getTime(), registerWh: stop.meterStopWh };
  const reachable = candidates.filter((session) => {
    const { meter } = withLive(session, live.get(session.uuid));
    return canReach(meter, session, end);
  });
  const [only] = reachable;
  if (only !== undefined && reachable.length === 1) return only;
  await keepUnmatchedStop(transaction, chargerId, stop);
  return null;
}

async function end(
  transaction: Transaction,
  session: LockedSession,
  stop: SessionStop,
  live: LiveRecord | undefined,
): Promise<void> {
  const read = withLive(session, live);
  const result = settleSession(read, {
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
    { ...stop, liveAt: live?.time, meter: read.meter },
    { ...result, flags: [...flags] },
  );
}

/** Adds live values that the shard has not written yet, which matter most for a stop without register. */
function withLive(session: LockedSession, live: LiveRecord | undefined): LockedSession {
  if (live === undefined) return session;
  return {
    ...session,
    energyWh: live.energyWh ?? session.energyWh,
    meter: live.meter,
    peakPowerW: Math.max(session.peakPowerW ?? 0, live.peakPowerW ?? 0) || null,
  };
}
