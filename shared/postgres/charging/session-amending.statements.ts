import type { NetworkScope } from '#shared/domain/access/tenancy.ts';
import type { Queryable, Transaction } from '#shared/postgres/kernel/client.ts';
import { inScope } from '#shared/postgres/kernel/scope.statements.ts';
import type { StoredCost } from '#shared/postgres/money/cost.statements.ts';
import { type LockedSession, selectLocked } from './sessions.statements.ts';

/** Locked session that an operator amends or approves. */
export interface AmendableSession extends LockedSession {
  networkId: number;
  currency: string;
  version: number;
  stopReceivedAt: Date | null;
  stopReason: string | null;
  cost: StoredCost | null;
  costMinor: bigint | null;
  /** Null: the session is on no invoice. */
  invoiceNumber: string | null;
}

/** Returns one session in scope, locked until the end of the transaction, or null. */
export async function lockAmendableSession(
  transaction: Transaction,
  scope: NetworkScope,
  uuid: string,
): Promise<AmendableSession | null> {
  const more = transaction`, s.network_id as "networkId", s.currency, s.version, s.stop_received_at as "stopReceivedAt",
    s.stop_reason as "stopReason", s.cost, s.cost_minor as "costMinor", s.invoice_number as "invoiceNumber"`;
  const [session] = await transaction<AmendableSession[]>`
    ${selectLocked(transaction, more)}
    where s.uuid = ${uuid} and ${inScope(transaction, 's.network_id', scope)} for update`;
  return session ?? null;
}

/** Values of a completed session before a correction. */
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
  /** Null: messages of the charger corrected it. */
  reason: string | null;
  replacedBy: string | null;
}

/** Lists the revisions of a session, oldest first. */
export async function listSessionRevisions(sql: Queryable, sessionId: bigint): Promise<SessionRevision[]> {
  return sql<SessionRevision[]>`
    select version, started_at as "startedAt", ended_at as "endedAt", energy_wh as "energyWh",
      meter_start_wh as "meterStartWh", meter_stop_wh as "meterStopWh", stop_reason as "stopReason", cost, flags,
      replaced_at as "replacedAt", reason, replaced_by as "replacedBy"
    from session_revisions where session_id = ${sessionId} order by version`;
}
