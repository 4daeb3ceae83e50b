import { type PartnerStatement, partnerStated } from '#shared/domain/charging/partner-statement.ts';
import { nextPrice, type Price, withPriceFlags } from '#shared/pricing/price-state.ts';
import type { Transaction } from '#shared/postgres/kernel/client.ts';
import { type LockedSession, selectLocked } from '#shared/postgres/charging/sessions.statements.ts';
import { priceColumns } from './price.statements.ts';
import { settle } from './settle.ts';

/** Session of which a partner states values, locked. */
interface StatedSession extends LockedSession {
  costMinor: bigint | null;
  /** Null: the session is on no invoice. */
  invoiceNumber: string | null;
  /** Time of the latest patch of the partner, by its clock, or null. */
  patchedAt: Date | null;
}

/** Locks a session for a statement of its partner. Null: it is no longer the partner's. */
export async function lockStatedSession(
  transaction: Transaction,
  uuid: string,
  partnerId: number,
): Promise<StatedSession | null> {
  const more = transaction`, s.cost_minor as "costMinor", s.invoice_number as "invoiceNumber",
    s.ocpi_patched_at as "patchedAt"`;
  const [session] = await transaction<StatedSession[]>`
    ${selectLocked(transaction, more)}
    where s.uuid = ${uuid} and s.ocpi_partner_id = ${partnerId} for update`;
  return session ?? null;
}

/**
 * Stores values that the partner of a locked session stated, in addition to earlier ones. The price of an ended session goes to the
 * review, and its wallet gets its payment back; a running session is judged at its end.
 */
export async function storeStatement(
  transaction: Transaction,
  session: StatedSession,
  statement: PartnerStatement,
): Promise<PartnerStatement> {
  const { id, costMinor, priceState } = session;
  const stated = { ...session.partnerStatement, ...statement };
  const flags = [...new Set([...session.flags, partnerStated])];
  const cost = costMinor === null ? null : { totalInclVatMinor: costMinor };
  const price: Price =
    session.endedAt === null
      ? session
      : nextPrice(session, 'stated', { cost, needsReadings: priceState === 'PENDING', flags });
  await transaction`
    update sessions set partner_statement = ${transaction.json(stated)}, flags = ${withPriceFlags(flags, price)},
      ${priceColumns(transaction, price)}, updated_at = now()
    where id = ${id}`;
  if (price.priceState !== priceState) await settle(transaction, id);
  return stated;
}
