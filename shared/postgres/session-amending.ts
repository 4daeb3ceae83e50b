import type { NetworkScope } from '#shared/domain/tenancy.ts';
import type { SessionResult } from '#shared/pricing/settle-session.ts';
import type { Queryable, Transaction } from './client.ts';
import type { StoredCost } from './cost.ts';
import { inScope } from './scope.ts';
import { completeSession, type LockedSession, type SessionEnding, selectLocked } from './sessions.ts';

/** A session that an operator puts right. */
export interface AmendableSession extends LockedSession {
  networkId: number;
  currency: string;
  version: number;
  stopReceivedAt: Date | null;
  stopReason: string | null;
  cost: StoredCost | null;
  /** Null: it is on no invoice. */
  invoiceNumber: string | null;
}

/** One session in scope, locked until the end of the transaction; null when there is none. */
export async function lockAmendableSession(
  transaction: Transaction,
  scope: NetworkScope,
  uuid: string,
): Promise<AmendableSession | null> {
  const [session] = await transaction<LockedSession[]>`
    ${selectLocked(transaction)} where s.uuid = ${uuid} and ${inScope(transaction, 's.network_id', scope)} for update`;
  if (session === undefined) return null;
  const [beside] = await transaction<Omit<AmendableSession, keyof LockedSession>[]>`
    select network_id as "networkId", currency, version, stop_received_at as "stopReceivedAt",
      stop_reason as "stopReason", cost, invoice_number as "invoiceNumber"
    from sessions where id = ${session.id}`;
  if (beside === undefined) throw new Error('a locked session is gone');
  return { ...session, ...beside };
}

/**
 * Puts a locked, completed session right in an operator's name. What it was is kept as a revision with the reason; all
 * that follows from its end (the wallet, the facts of analytics) follows anew, as it does in `completeSession`.
 */
export async function amendSession(
  transaction: Transaction,
  session: Pick<AmendableSession, 'id' | 'version'>,
  ending: SessionEnding,
  result: SessionResult,
  { reason, by }: { reason: string; by: string | null },
): Promise<void> {
  await completeSession(transaction, session.id, ending, result);
  await transaction`
    update session_revisions set reason = ${reason}, replaced_by = ${by}
    where session_id = ${session.id} and version = ${session.version}`;
}

/** What a completed session was until it was put right. */
export interface SessionRevision {
  version: number;
  startedAt: Date;
  endedAt: Date | null;
  energyWh: number;
  meterStartWh: number | null;
  meterStopWh: number | null;
  stopReason: string | null;
  cost: StoredCost | null;
  flags: string[];
  replacedAt: Date;
  /** Null: messages of its charger put it right. */
  reason: string | null;
  replacedBy: string | null;
}

/** What a session was, oldest first. */
export async function listSessionRevisions(sql: Queryable, sessionId: bigint): Promise<SessionRevision[]> {
  return sql<SessionRevision[]>`
    select version, started_at as "startedAt", ended_at as "endedAt", energy_wh as "energyWh",
      meter_start_wh as "meterStartWh", meter_stop_wh as "meterStopWh", stop_reason as "stopReason", cost, flags,
      replaced_at as "replacedAt", reason, replaced_by as "replacedBy"
    from session_revisions where session_id = ${sessionId} order by version`;
}
