import type { NetworkScope } from '#shared/domain/access/tenancy.ts';
import { approved } from '#shared/domain/charging/session.ts';
import { nextPriceState, type PriceState } from '#shared/pricing/price-state.ts';
import type { SessionResult } from '#shared/pricing/settle-session.ts';
import type { Queryable, Transaction } from '#shared/postgres/kernel/client.ts';
import type { StoredCost } from '#shared/postgres/money/cost.ts';
import { inScope } from '#shared/postgres/kernel/scope.ts';
import { completeSession, type LockedSession, type SessionEnding, selectLocked } from './sessions.ts';
import { settleWallet } from '#shared/postgres/money/wallet-holds.ts';

/** A session that an operator puts right. */
export interface AmendableSession extends LockedSession {
  networkId: number;
  currency: string;
  version: number;
  stopReceivedAt: Date | null;
  stopReason: string | null;
  cost: StoredCost | null;
  costMinor: bigint | null;
  /** Null: it is on no invoice. */
  invoiceNumber: string | null;
}

/** Why an operator changed a session, and who. */
export interface Decision {
  reason: string;
  by: string | null;
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
      stop_reason as "stopReason", cost, cost_minor as "costMinor", invoice_number as "invoiceNumber"
    from sessions where id = ${session.id}`;
  if (beside === undefined) throw new Error('a locked session is gone');
  return { ...session, ...beside };
}

/**
 * Corrects a locked, completed session in an operator's name, and returns its price state. What it was is kept as a revision
 * with the reason; all that follows from its end (the wallet, the facts of analytics) follows again, as in `completeSession`.
 */
export async function amendSession(
  transaction: Transaction,
  session: Pick<AmendableSession, 'id' | 'version' | 'priceState'>,
  ending: SessionEnding,
  result: SessionResult,
  { reason, by }: Decision,
): Promise<PriceState> {
  const priceState = await completeSession(transaction, session, ending, result, 'amended');
  await transaction`
    update session_revisions set reason = ${reason}, replaced_by = ${by}
    where session_id = ${session.id} and version = ${session.version}`;
  return priceState;
}

/**
 * Settles a locked session in review at the price that it has, and returns its price state: its wallet pays. The approval is a
 * revision, with the reason.
 */
export async function approvePrice(
  transaction: Transaction,
  session: Pick<AmendableSession, 'id' | 'priceState' | 'costMinor' | 'flags'>,
  { reason, by }: Decision,
): Promise<PriceState> {
  const flags = [...session.flags, approved];
  const cost = session.costMinor === null ? null : { totalInclVatMinor: session.costMinor };
  const priceState = nextPriceState(session.priceState, 'approved', { cost, flags });
  await transaction`
    insert into session_revisions (session_id, version, started_at, ended_at, energy_wh, meter_start_wh, meter_stop_wh,
      stop_reason, cost_minor, cost, flags, reason, replaced_by)
    select id, version, started_at, ended_at, energy_wh, meter_start_wh, meter_stop_wh, stop_reason, cost_minor, cost, flags,
      ${reason}, ${by}
    from sessions where id = ${session.id}`;
  await transaction`
    update sessions set version = version + 1, price_state = ${priceState},
      flags = ${flags}, updated_at = now()
    where id = ${session.id}`;
  await settleWallet(transaction, session.id);
  return priceState;
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
