import { DomainError } from '#shared/domain/kernel/errors.ts';
import type { AmendableSession } from '#shared/postgres/charging/session-amending.statements.ts';
import { approvePrice } from '#shared/postgres/charging/session-writes/price.statements.ts';
import type { PartnerStatement } from '#shared/domain/charging/partner-statement.ts';
import { isLate, mayChange } from '#shared/pricing/price-state.ts';
import { plausibleMaximum } from '#shared/pricing/settle-session.ts';
import { type Actor, audit } from '#api/services/access/audit.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import { auditedPrice, requirePlausible } from './plausible-prices.ts';
import { type Amendment, amendLocked, invalid, lockForDecision } from './session-amending.service.ts';

/** An operator's approval of a price in review. */
interface Approval {
  reason: string;
  /** Allows energy and a price above what is plausible. */
  confirmAbovePlausible?: boolean | undefined;
  /** Decision on the values that the roaming partner stated; undefined: it stated none. */
  partnerStatement?: StatementDecision | undefined;
}

/** Decisions on a partner's statement: its values count, or those of the charger. */
export const statementDecisions = ['ACCEPT', 'REJECT'] as const;
type StatementDecision = (typeof statementDecisions)[number];

/**
 * Settles a session in review as its charger reported it, or as its roaming partner stated.
 * @throws {DomainError} SESSION_NOT_FOUND, PRECONDITION_FAILED, SESSION_NOT_COMPLETED, SESSION_INVOICED,
 * SESSION_NOT_IN_REVIEW, SESSION_NOT_FINAL, ABOVE_PLAUSIBLE, VALIDATION_FAILED.
 */
export async function approveSession(
  { sql }: Pick<ServiceDeps, 'sql'>,
  by: Actor,
  uuid: string,
  expected: number | null,
  { reason, confirmAbovePlausible, partnerStatement }: Approval,
): Promise<void> {
  await sql.begin(async (transaction) => {
    const decided = await lockForDecision(transaction, by, uuid, expected);
    const { session, endedAt } = decided;
    requireInReview(session);
    requireStatementDecision(session, partnerStatement);
    if (session.partnerStatement !== null && partnerStatement === 'ACCEPT') {
      const amendment = { ...statedAmendment(session, session.partnerStatement), confirmAbovePlausible };
      await amendLocked(transaction, by, decided, amendment, { action: 'approve', reason });
      return;
    }
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
      details: { before, after: { ...before, priceState }, confirmAbovePlausible, partnerStatement, reason },
    });
  });
}

function requireStatementDecision(session: AmendableSession, decision: StatementDecision | undefined): void {
  if (session.partnerStatement === null && decision !== undefined) {
    throw invalid('partnerStatement', 'is not accepted: the roaming partner stated no other values');
  }
  if (session.partnerStatement !== null && decision === undefined) {
    throw invalid('partnerStatement', 'is required: ACCEPT or REJECT the values of the roaming partner');
  }
}

/**
 * Returns the correction that a partner's statement amounts to. An INVALID session costs nothing.
 * @throws {DomainError} VALIDATION_FAILED for a statement that cannot take effect.
 */
function statedAmendment({ currency }: AmendableSession, stated: PartnerStatement): Amendment {
  if (stated.currency !== undefined && stated.currency !== currency) {
    throw invalid(
      'partnerStatement',
      `must be REJECT: the session is priced in ${currency}, not in ${stated.currency}`,
    );
  }
  if (stated.status !== undefined && stated.status !== 'COMPLETED' && stated.status !== 'INVALID') {
    throw invalid(
      'partnerStatement',
      `must be REJECT: a session that has ended does not become ${stated.status}`,
    );
  }
  return {
    ...(stated.kwh !== undefined && { energyKwh: stated.kwh }),
    ...(stated.endedAt !== undefined && { endedAt: new Date(stated.endedAt) }),
    ...(stated.status === 'INVALID' && { cost: { exclVat: 0, inclVat: 0 } }),
  };
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
