import type { Logos } from '#api/services/fleet/logos.ts';
import type { SignatureState } from '#shared/domain/charging/signed-meter-value.ts';
import { type SessionStatus, awaitsStop, startMissing } from '#shared/domain/charging/session.ts';
import { DomainError } from '#shared/domain/kernel/errors.ts';
import type { BillableSession } from '#shared/postgres/charging/billable-sessions.ts';
import { readCost, type StoredCost } from '#shared/postgres/money/cost.statements.ts';
import type { Buyer, InvoiceKind, Seller } from '#shared/postgres/money/invoices.statements.ts';
import type { Cost } from '#shared/pricing/cost.ts';
import { isLate } from '#shared/pricing/price-state.ts';
import { localDate } from '#shared/domain/kernel/calendar.ts';
import { postalLines } from '#api/services/kernel/postal-address.ts';
import type { PaymentStatus } from './payment-status.ts';

/** Session on a receipt or an invoice. */
export interface BilledSession {
  uuid: string;
  /** The end of the token that was shown: the whole is what charges in its holder's name. */
  idToken: string | null;
  chargerUid: string;
  connectorNumber: number;
  connectorStandard: string | null;
  locationName: string | null;
  /** On several lines. */
  locationAddress: string | null;
  /** Time zone of the location. */
  timeZone: string;
  startedAt: Date;
  endedAt: Date;
  energyWh: number;
  cost: Cost;
}

/** Document of a sale: seller, buyer, items and amounts. */
export interface Bill {
  kind: 'RECEIPT' | InvoiceKind;
  /** Null: the bill is a preview, which is marked as such. */
  number: string | null;
  issuedAt: Date;
  /** Number of the credited invoice, and the reason. */
  credits: string | null;
  reason: string | null;
  /** Number of the credit note that takes the invoice back. */
  creditedBy: string | null;
  /** Number of the receipt that this one replaces, after a correction of the session. */
  replaces: string | null;
  /** Number of the invoice that the session of a receipt is on. */
  invoiceNumber: string | null;
  /** BCP 47, of a language that documents are written in, with the region whose formats they have. */
  language: string;
  /** Time zone of the network. */
  timeZone: string;
  /** #rrggbb; null: the network has none. */
  primaryColor: string | null;
  /** PNG or JPEG. */
  logo: Uint8Array | null;
  seller: Seller;
  buyer: Buyer | null;
  sessions: BilledSession[];
  /** Of the signed meter values of a receipt's session. NONE: no values, or the bill is an invoice. */
  signatureState: SignatureState;
  /** The billed energy is that of the signed meter values, where they are verified. */
  isSignedEnergyBilled: boolean;
  currency: string;
  totalExclVatMinor: bigint;
  totalVatMinor: bigint;
  totalInclVatMinor: bigint;
  paymentStatus: PaymentStatus;
  /** YYYY-MM-DD: by when what is due is paid. */
  dueDate: string;
}

/** Draws bills as PDF, outside of the thread that answers requests. */
export interface BillRenderer {
  /** @throws {DomainError} RENDERER_BUSY when too many wait already. */
  render(bill: Bill): Promise<Uint8Array>;
}

/** A completed session that has a price. */
export type PricedSession = BillableSession & { endedAt: Date; cost: StoredCost };

/**
 * Stops what cannot be billed.
 * @throws {DomainError} SESSION_NOT_COMPLETED, SESSION_NOT_PRICED, PRICE_IN_REVIEW.
 */
export function requirePriced(session: BillableSession): PricedSession {
  const { uuid, status, endedAt, cost, hasTariff, priceState } = session;
  if (!isCompleted(status) || endedAt === null) {
    throw new DomainError('SESSION_NOT_COMPLETED', `The session ${uuid} is ${status}, not completed.`, {
      sessionId: uuid,
    });
  }
  if (cost === null) {
    const reason = hasTariff ? 'COST_PENDING' : 'NO_TARIFF';
    throw new DomainError('SESSION_NOT_PRICED', `The session ${uuid} has no price: ${reason}.`, {
      sessionId: uuid,
      reason,
    });
  }
  if (priceState === 'REVIEW') {
    throw new DomainError(
      'PRICE_IN_REVIEW',
      `The values of the session ${uuid} are implausible, or a signature is not valid: nothing is charged before the operator approved or amended it.`,
      { sessionId: uuid },
    );
  }
  return { ...session, endedAt, cost };
}

const isCompleted = (status: SessionStatus) => status === 'COMPLETED';

/**
 * Refuses a session that later messages of its charger can still correct: an invoice is never changed.
 * @throws {DomainError} SESSION_NOT_FINAL.
 */
export function requireFinal(session: PricedSession): void {
  const { uuid, flags, priceDecision } = session;
  const hasAssumedStart = flags.includes(startMissing) && priceDecision !== 'AMENDED';
  if (isLate(session)) {
    throw new DomainError(
      'SESSION_NOT_FINAL',
      `Readings of the session ${uuid} came after it was priced. The session is priced again within minutes: repeat the request then.`,
      { sessionId: uuid },
    );
  }
  if (!awaitsStop(session) && !hasAssumedStart) return;
  const which = hasAssumedStart ? 'start' : 'end';
  throw new DomainError(
    'SESSION_NOT_FINAL',
    `The ${which} of the session ${uuid} is assumed: the charger may still report it. The operator can confirm it by amending the session.`,
    { sessionId: uuid },
  );
}

/** Returns a priced session as a bill in a language (BCP 47) shows it. */
export function billedSession(session: PricedSession, language: string): BilledSession {
  const address = postalLines(session, language);
  return {
    uuid: session.uuid,
    idToken: session.idToken === null ? null : endOf(session.idToken),
    chargerUid: session.chargerUid,
    connectorNumber: session.connectorNumber,
    connectorStandard: session.connectorStandard,
    locationName: session.locationName,
    locationAddress: address === '' ? null : address,
    timeZone: session.timeZone,
    startedAt: session.startedAt,
    endedAt: session.endedAt,
    energyWh: session.energyWh,
    cost: readCost(session.cost),
  };
}

/** Returns the date (YYYY-MM-DD, in a time zone) by which a bill of this time is to be paid. */
export function dueDateOf(issuedAt: Date, timeZone: string, paymentTermDays: number): string {
  const issued = Date.parse(localDate(issuedAt.getTime(), timeZone));
  return new Date(issued + paymentTermDays * 86_400_000).toISOString().slice(0, 10);
}

function endOf(token: string): string {
  return `…${token.slice(-Math.min(4, Math.floor(token.length / 2)))}`;
}

/** The renderer of receipts and invoices, with the logos that stand on them. */
export interface BillDeps {
  bills: BillRenderer;
  logos: Logos;
}
