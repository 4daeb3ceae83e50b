import {
  limitsToSend,
  type StationLimits,
  supportedLimits,
} from '#shared/domain/charging/station-transaction.ts';
import { featuresOf } from '#shared/domain/fleet/ocpp-version.ts';
import {
  readLimitState,
  storeSentLimits,
} from '#shared/postgres/charging/station-transactions.statements.ts';
import type { RunningSession } from '#shared/postgres/charging/running-sessions.statements.ts';
import type { Context } from './context.ts';

/** Returns true when the station of a session may apply limits itself: the answer to each event may carry a change. */
export function mayTakeLimits({ ocppVersion }: Context, { takesLimits }: RunningSession): boolean {
  return takesLimits !== false && featuresOf(ocppVersion).hasStationLimits;
}

/**
 * Returns the limits that the answer to an event carries, and stores them as sent; null: no change (OCPP 2.1 E16). Our own stop of a
 * session that passed a limit does not depend on them.
 */
export async function takeDueLimits(
  context: Context<'sql'>,
  transactionId: string,
): Promise<StationLimits | null> {
  const session = context.running.find((running) => running.transactionId === transactionId);
  if (session === undefined || !mayTakeLimits(context, session)) return null;
  const { sql } = context.stores;
  const state = await readLimitState(sql, session.uuid);
  if (state === null) return null;
  const isNewConnection = session.takesLimits === null;
  session.takesLimits = supportedLimits(state.supported).length > 0;
  const limits = limitsToSend(state, isNewConnection);
  if (limits !== null) await storeSentLimits(sql, session.uuid, limits);
  return limits;
}
