import type { Commit } from '#gateway/wal/commit.ts';
import type { StationLimits } from '#shared/domain/charging/station-transaction.ts';
import type { TransactionNotice } from '#shared/domain/commands/charger-messages.ts';
import type { Authorization, SessionStart, SessionStop } from '#shared/domain/charging/session.ts';
import { namedReservation } from '#shared/domain/charging/reservation.ts';
import { bindRemoteStart } from '#shared/postgres/charging/remote-starts.statements.ts';
import type { RunningSession } from '#shared/postgres/charging/running-sessions.statements.ts';
import { storeStationReport } from '#shared/postgres/charging/station-transactions.statements.ts';
import { assignToken } from '#shared/postgres/charging/session-writes/token.statements.ts';
import { enqueue } from '#shared/postgres/kernel/jobs.statements.ts';
import { readFinalCost } from '#shared/postgres/charging/shown-costs.statements.ts';
import { toMajor } from '#shared/pricing/money.ts';
import { authorizeStart } from './authorize.ts';
import type { Context, Stores } from './context.ts';
import { mayTakeLimits, takeDueLimits } from './station-limits.ts';
import { needQueries, storeAtOnce, storeReadings } from './meter-values.ts';
import { handleSessionStart, noteAuthorization, noteReservation } from './session-start.ts';
import { handleSessionStop } from './session-stop.ts';

/**
 * Processes one event of a transaction that the charger named. Events may be repeated, out of order, or without a
 * start (field note 9): each creates the session if necessary before adding to it.
 */
export function handleTransactionEvent(
  context: Context<keyof Stores>,
  notice: TransactionNotice,
): TransactionAnswer | Promise<TransactionAnswer> {
  return isPlainUpdate(context, notice) ? storeUpdate(context, notice) : handleWithQueries(context, notice);
}

/** Answer to an event, sent when its readings are durable. */
interface TransactionAnswer {
  authorization: Authorization | null;
  /** In the major unit with VAT, for a station that displays it. */
  totalCost: number | null;
  /** Limits that the station has to apply; null: no change. */
  limits: StationLimits | null;
  commit: Commit | null;
}

const accepted: Authorization = { status: 'Accepted', expiresAt: null };

/** Returns true for an event that only has readings of a known session and needs no query, as nearly all events. */
function isPlainUpdate(context: Context<keyof Stores>, notice: TransactionNotice): boolean {
  const { kind, start, connectorStatus, meter, station } = notice;
  return (
    kind === 'Updated' &&
    start.idToken === null &&
    station === null &&
    // An event of an unknown transaction begins its session, also without readings.
    context.running.some(
      (session) => session.transactionId === start.transactionId && !mayTakeLimits(context, session),
    ) &&
    (connectorStatus === null || context.stores.statuses.isKnown(context.charger, connectorStatus)) &&
    !needQueries(context, meter)
  );
}

function storeUpdate(
  context: Context<keyof Stores>,
  { isFree, meter }: TransactionNotice,
): TransactionAnswer {
  return {
    authorization: isFree ? accepted : null,
    totalCost: null,
    limits: null,
    commit: storeAtOnce(context, meter),
  };
}

async function handleWithQueries(
  context: Context<keyof Stores>,
  notice: TransactionNotice,
): Promise<TransactionAnswer> {
  const authorization = await begin(context, notice);
  // The readings before the stop: the last of them settles a stop without register.
  await Promise.all([
    storeReadings(context, notice.meter),
    notice.connectorStatus === null
      ? null
      : context.stores.statuses.imply(context.charger, notice.connectorStatus),
  ]);
  if (notice.station !== null) {
    const { charger, stores, receivedAt } = context;
    const { transactionId } = notice.start;
    await storeStationReport(stores.sql, { id: charger.id, transactionId }, notice.station, receivedAt);
    if (notice.station.isResumed) {
      await enqueue(stores.sql, 'resend-profiles', { chargerId: charger.id, transactionId });
    }
  }
  const totalCost = notice.stop === null ? null : await end(context, notice.stop);
  const limits = await takeDueLimits(context, notice.start.transactionId);
  return { authorization: notice.isFree ? accepted : authorization, totalCost, limits, commit: null };
}

/**
 * Ends the session. Returns its final cost in the major unit with VAT if the station displays it and it is known
 * (I03).
 */
async function end(context: Context<keyof Stores>, stop: SessionStop): Promise<number | null> {
  const { charger, stores } = context;
  await handleSessionStop(context, stop);
  const cost = await readFinalCost(stores.sql, charger.id, stop.transactionId);
  return cost === null ? null : toMajor(cost.totalMinor, cost.currency);
}

/** Creates or finds the session and authorizes its token; returns null without a token. */
async function begin(
  context: Context<keyof Stores>,
  { kind, start }: TransactionNotice,
): Promise<Authorization | null> {
  const known = context.running.find((running) => running.transactionId === start.transactionId);
  if (kind === 'Started' || known === undefined) {
    const started = await handleSessionStart(context, start, `transaction ${start.transactionId}`);
    return start.idToken === null ? null : started.authorization;
  }
  return start.idToken === null
    ? null
    : handleLateToken(context, known, { ...start, idToken: start.idToken });
}

/** Handles a token that is presented after the start of the transaction, when plugging in starts it (E02, E03). */
async function handleLateToken(
  context: Context<keyof Stores>,
  session: RunningSession,
  start: SessionStart & { idToken: string },
): Promise<Authorization> {
  const { idToken, remoteStartId } = start;
  const token = await authorizeStart(context, idToken, session.position.evse);
  await assignToken(context.stores.sql, session.uuid, {
    idToken,
    idTokenId: token.idTokenId,
    userId: token.userId,
    authorizationStatus: token.status,
    roaming: token.roaming,
  });
  await noteAuthorization(context, session.uuid, token);
  await noteReservation(context, session, namedReservation(start, token));
  const begun = { uuid: session.uuid, idToken, evse: session.position.evse, remoteStartId };
  await bindRemoteStart(context.stores.sql, context.charger.id, begun);
  return token;
}
