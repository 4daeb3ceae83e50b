import type { TransactionNotice } from '#shared/domain/commands/charger-messages.ts';
import type { Authorization, SessionStart, SessionStop } from '#shared/domain/charging/session.ts';
import { bindRemoteStart } from '#shared/postgres/charging/remote-starts.ts';
import type { RunningSession } from '#shared/postgres/charging/running-sessions.ts';
import { assignToken } from '#shared/postgres/charging/session-writes/token.ts';
import { readFinalCost } from '#shared/postgres/charging/shown-costs.ts';
import { toMajor } from '#shared/pricing/money.ts';
import { authorizeStart } from './authorize.ts';
import type { Context, Stores } from './context.ts';
import { handleMeterValues } from './meter-values.ts';
import { handleSessionStart, noteAuthorization, noteReservation } from './session-start.ts';
import { handleSessionStop } from './session-stop.ts';

/**
 * Processes one event of a transaction that the charger named. Events may be repeated, out of order, or without a
 * start (field note 9): each creates the session if necessary before adding to it.
 */
export async function handleTransactionEvent(
  context: Context<keyof Stores>,
  notice: TransactionNotice,
): Promise<{ authorization: Authorization | null; totalCost: number | null }> {
  const authorization = await begin(context, notice);
  // The readings before the stop: the last of them settles a stop without register.
  await Promise.all([
    handleMeterValues(context, notice.meter),
    notice.connectorStatus === null
      ? null
      : context.stores.statuses.imply(context.charger, notice.connectorStatus),
  ]);
  const totalCost = notice.kind === 'Ended' ? await end(context, notice.stop) : null;
  if (notice.isFree) return { authorization: { status: 'Accepted', expiresAt: null }, totalCost };
  return { authorization, totalCost };
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
  { idToken, remoteStartId, ...start }: SessionStart & { idToken: string },
): Promise<Authorization> {
  const token = await authorizeStart(context, idToken, session.position.evse);
  await assignToken(context.stores.sql, session.uuid, {
    idToken,
    idTokenId: token.idTokenId,
    userId: token.userId,
    authorizationStatus: token.status,
    roaming: token.roaming,
  });
  await noteAuthorization(context, session.uuid, token);
  await noteReservation(context, session.uuid, start);
  const begun = { uuid: session.uuid, idToken, evse: session.position.evse, remoteStartId };
  await bindRemoteStart(context.stores.sql, context.charger.id, begun);
  return token;
}
