import { DomainError } from '#shared/domain/kernel/errors.ts';
import type { AmendableSession } from '#shared/postgres/charging/session-amending.ts';
import { approvePrice } from '#shared/postgres/charging/session-writes/price.ts';
import { isLate, mayChange } from '#shared/pricing/price-state.ts';
import { plausibleMaximum } from '#shared/pricing/settle-session.ts';
import { type Actor, audit } from '#api/services/access/audit.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import { auditedPrice, requirePlausible } from './plausible-prices.ts';
import { lockForDecision } from './session-amending.ts';

/** An operator's approval of a price in review. */
export interface Approval {
  reason: string;
  /** Allows energy and a price above what is plausible. */
  confirmAbovePlausible?: boolean | undefined;
}

/**
 * Settles a session in review as its charger reported it.
 * @throws {DomainError} SESSION_NOT_FOUND, PRECONDITION_FAILED, SESSION_NOT_COMPLETED, SESSION_INVOICED,
 * SESSION_NOT_IN_REVIEW, SESSION_NOT_FINAL, ABOVE_PLAUSIBLE.
 */
export async function approveSession(
  { sql }: Pick<ServiceDeps, 'sql'>,
  by: Actor,
  uuid: string,
  expected: number | null,
  { reason, confirmAbovePlausible }: Approval,
): Promise<void> {
  await sql.begin(async (transaction) => {
    const { session, endedAt } = await lockForDecision(transaction, by, uuid, expected);
    requireInReview(session);
    const { energyWh, costMinor } = session;
    requirePlausible(session, plausibleMaximum(session, endedAt), {
      energyWh,
      costMinor,
      isConfirmed: confirmAbovePlausible === true,
    });
    const { priceState } = await approvePrice(transaction, session, { reason, by: by.caller.who.name });
    // All fields: those that an approval leaves unchanged matter most.
    const before = auditedPrice({ ...session, endedAt });
    await audit(transaction, by, {
      networkId: session.networkId,
      category: 'session',
      action: 'approve',
      resourceId: session.uuid,
      resourceName: session.uuid,
      description: `session ${session.uuid}: approve (${reason})`,
      details: { before, after: { ...before, priceState }, confirmAbovePlausible, reason },
    });
  });
}

function requireInReview({ uuid, priceState, priceReadings }: AmendableSession): void {
  if (!mayChange(priceState, 'approved')) {
    throw new DomainError(
      'SESSION_NOT_IN_REVIEW',
      `The price of the session ${uuid} is not in review: its state is ${priceState}.`,
      { priceState },
    );
  }
  if (!isLate({ priceReadings })) return;
  throw new DomainError(
    'SESSION_NOT_FINAL',
    `Readings of the session ${uuid} came after it was priced: it is priced again within minutes. Approve it then.`,
    { sessionId: uuid },
  );
}
