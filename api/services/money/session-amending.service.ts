import { DomainError } from '#shared/domain/kernel/errors.ts';
import { durationImplausible, energyImplausible } from '#shared/domain/charging/plausibility.ts';
import {
  type AmendableSession,
  lockAmendableSession,
} from '#shared/postgres/charging/session-amending.statements.ts';
import { amendSession as storeAmendment } from '#shared/postgres/charging/session-writes/price.statements.ts';
import type { Transaction } from '#shared/postgres/kernel/client.ts';
import type { Cost } from '#shared/pricing/cost.ts';
import { minorDigits } from '#shared/pricing/currencies.ts';
import { toMajor, toMinor } from '#shared/pricing/money.ts';
import {
  noTariff,
  plausibleMaximum,
  type SessionResult,
  settledFlags,
  settleEnergy,
} from '#shared/pricing/settle-session.ts';
import { type Actor, auditChange } from '#api/services/access/audit.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import { auditedPrice, requirePlausible } from './plausible-prices.ts';
import { requireVersion } from '#api/services/kernel/edits.service.ts';

/** Corrections of a completed session by an operator; undefined fields stay. */
export interface Amendment {
  energyKwh?: number | undefined;
  endedAt?: Date | undefined;
  /** Whole price, in major units, which replaces the tariff's. */
  cost?: { exclVat: number; inclVat: number } | undefined;
  /** Allows energy and a price above what is plausible. */
  confirmAbovePlausible?: boolean | undefined;
}

/**
 * Corrects a completed session, which ends its review. A new energy or end is priced by the tariff as it stood at the start,
 * unless the price is given too. What the session was is kept, with the reason; no later message of its charger changes it
 * again.
 * @throws {DomainError} SESSION_NOT_FOUND, PRECONDITION_FAILED, SESSION_NOT_COMPLETED, SESSION_INVOICED, ABOVE_PLAUSIBLE,
 * VALIDATION_FAILED.
 */
export async function amendSession(
  { sql }: Pick<ServiceDeps, 'sql'>,
  by: Actor,
  uuid: string,
  expected: number | null,
  amendment: Amendment,
  reason: string,
): Promise<void> {
  requireChange(amendment);
  await sql.begin(async (transaction) => {
    const decided = await lockForDecision(transaction, by, uuid, expected);
    await amendLocked(transaction, by, decided, amendment, { action: 'amend', reason });
  });
}

/** Corrects a session that is locked for a decision (`amendSession`), and writes the audit entry of the action. */
export async function amendLocked(
  transaction: Transaction,
  by: Actor,
  { session, endedAt }: { session: AmendableSession; endedAt: Date },
  amendment: Amendment,
  { action, reason }: { action: 'amend' | 'approve'; reason: string },
): Promise<void> {
  const end = amendment.endedAt ?? endedAt;
  requireEnd(session, end);
  const result = settleAgain(session, amendment, end);
  requirePlausible(session, plausibleMaximum(session, end), {
    // The reported energy counts unless the price is given: it is priced, now or when the readings are read.
    energyWh: amendment.energyKwh === undefined && amendment.cost !== undefined ? 0 : result.energyWh,
    costMinor: result.cost?.totalInclVatMinor ?? null,
    isConfirmed: amendment.confirmAbovePlausible === true,
  });
  const ending = {
    endedAt: end,
    receivedAt: session.stopReceivedAt,
    meterStopWh: session.meterStopWh,
    reason: session.stopReason,
  };
  const { priceState } = await storeAmendment(transaction, session, ending, result, {
    reason,
    by: by.caller.who.name,
  });
  await auditChange(transaction, by, {
    networkId: session.networkId,
    category: 'session',
    action,
    resourceId: session.uuid,
    resourceName: session.uuid,
    before: auditedPrice({ ...session, endedAt }),
    after: {
      ...auditedPrice({ ...result, endedAt: end, priceState }),
      ...(amendment.confirmAbovePlausible === true && { confirmAbovePlausible: true }),
    },
    reason,
  });
}

/**
 * Locks a completed session in the caller's networks for an operator's decision on its price.
 * @throws {DomainError} SESSION_NOT_FOUND, PRECONDITION_FAILED, SESSION_NOT_COMPLETED, SESSION_INVOICED.
 */
export async function lockForDecision(
  transaction: Transaction,
  by: Actor,
  uuid: string,
  expected: number | null,
): Promise<{ session: AmendableSession; endedAt: Date }> {
  const session = await lockAmendableSession(transaction, by.caller.networks, uuid);
  if (session === null) throw new DomainError('SESSION_NOT_FOUND', `There is no session ${uuid}.`);
  requireVersion(session, expected);
  return { session, endedAt: requireAmendable(session) };
}

function requireChange({ energyKwh, endedAt, cost }: Amendment): void {
  if (energyKwh !== undefined || endedAt !== undefined || cost !== undefined) return;
  const message = 'needs at least one of energyKwh, endedAt and cost';
  throw new DomainError('VALIDATION_FAILED', `Invalid body: it ${message}.`, {
    errors: [{ field: '', message }],
  });
}

/** Returns the end of the session. */
function requireAmendable({ status, endedAt, invoiceNumber }: AmendableSession): Date {
  if (status !== 'COMPLETED' || endedAt === null) {
    throw new DomainError(
      'SESSION_NOT_COMPLETED',
      `Only a completed session is amended; this one is ${status}.`,
    );
  }
  if (invoiceNumber !== null) {
    throw new DomainError('SESSION_INVOICED', `The session is on the invoice ${invoiceNumber}.`, {
      invoiceNumber,
    });
  }
  return endedAt;
}

function requireEnd({ startedAt }: AmendableSession, endedAt: Date): void {
  if (endedAt >= startedAt && endedAt.getTime() <= Date.now()) return;
  throw invalid('endedAt', 'must be between the start of the session and now');
}

function settleAgain(session: AmendableSession, amendment: Amendment, endedAt: Date): SessionResult {
  const { energyKwh, cost } = amendment;
  const energyWh = energyKwh === undefined ? session.energyWh : Math.round(energyKwh * 1_000_000) / 1000;
  const settled = settleEnergy(session, endedAt, energyWh);
  const given = cost === undefined ? null : givenCost(cost, session.currency);
  const judged = given === null ? settled.flags : settled.flags.filter((flag) => flag !== noTariff);
  const kept = session.flags.filter(
    (flag) => !settledFlags.has(flag) || (energyKwh === undefined && !judgedAgain.has(flag)),
  );
  return {
    energyWh,
    cost: given ?? settled.cost,
    needsReadings: given === null && settled.needsReadings,
    flags: [...new Set([...kept, ...judged])],
    plausibleCostMinor: settled.plausibleCostMinor,
  };
}

/** Flags that do not depend on the registers. */
const judgedAgain: ReadonlySet<string> = new Set([noTariff, energyImplausible, durationImplausible]);

/** Returns the cost for a price that an operator sets, as one line; the tariff's cost is in the revision. */
function givenCost({ exclVat, inclVat }: { exclVat: number; inclVat: number }, currency: string): Cost {
  const exclVatMinor = exactMinor('cost.exclVat', exclVat, currency);
  const totalInclVatMinor = exactMinor('cost.inclVat', inclVat, currency);
  const vatMinor = totalInclVatMinor - exclVatMinor;
  if (vatMinor < 0n) throw invalid('cost.inclVat', 'must not be less than cost.exclVat');
  const line = {
    type: 'AMENDED',
    quantity: 1,
    unitPrice: null,
    vatPercent: null,
    exclVatMinor,
    vatMinor,
  } as const;
  return {
    currency,
    lines: [line],
    notes: [],
    totalExclVatMinor: exclVatMinor,
    totalVatMinor: vatMinor,
    totalInclVatMinor,
  };
}

function exactMinor(field: string, amount: number, currency: string): bigint {
  const minor = toMinor(amount.toFixed(8), currency);
  if (toMajor(minor, currency) === amount) return minor;
  throw invalid(field, `must have at most ${minorDigits(currency)} decimals in ${currency}`);
}

export function invalid(field: string, message: string): DomainError {
  return new DomainError('VALIDATION_FAILED', `Invalid body: ${field} ${message}.`, {
    errors: [{ field, message }],
  });
}
