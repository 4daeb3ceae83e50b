import { readCost, storeCost } from '#shared/postgres/money/cost.statements.ts';
import type {
  Buyer,
  InvoiceDocument,
  InvoiceRecord,
  NewInvoice,
} from '#shared/postgres/money/invoices.statements.ts';
import type { NetworkDetailRecord } from '#shared/postgres/fleet/network-details.ts';
import type { Cost } from '#shared/pricing/cost.ts';
import { type Bill, billedSession, dueDateOf, type PricedSession } from './bills.ts';
import { documentTag } from './document-language.ts';
import { sellerOf } from '#api/services/fleet/sellers.ts';
import { credited, type PaymentStatus } from './payment-status.ts';

/** Buyer in a request; only the name is required. */
type NamedBuyer = Partial<Buyer> & Pick<Buyer, 'name'>;

/** Returns the buyer of sessions: the named one, else their driver, else an unknown one. */
export function buyerOf(
  { userName, userEmail }: Pick<PricedSession, 'userName' | 'userEmail'>,
  named: NamedBuyer | undefined,
): Buyer | null {
  const nothing = { email: null, postalAddress: null, vatNumber: null };
  if (named !== undefined) return { ...nothing, ...named };
  return userName === null ? null : { ...nothing, name: userName, email: userEmail };
}

/** Returns the totals of sessions, in minor units. */
export function totalsOf(sessions: readonly PricedSession[]) {
  const costs = sessions.map(({ cost }) => readCost(cost));
  const sum = (of: (cost: Cost) => bigint) => costs.reduce((total, cost) => total + of(cost), 0n);
  return {
    totalExclVatMinor: sum((cost) => cost.totalExclVatMinor),
    totalVatMinor: sum((cost) => cost.totalVatMinor),
    totalInclVatMinor: sum((cost) => cost.totalInclVatMinor),
  };
}

/** Returns the contents of an invoice for these sessions, in the language of their driver. */
export function documentOf(
  network: NetworkDetailRecord,
  buyer: Buyer | null,
  sessions: readonly [PricedSession, ...PricedSession[]],
): InvoiceDocument {
  const language = documentTag(sessions[0].language, network);
  return {
    language,
    timeZone: network.timeZone,
    primaryColor: network.primaryColor,
    logoUrl: network.logoUrl,
    paymentTermDays: network.paymentTermDays,
    seller: sellerOf(network),
    buyer,
    sessions: sessions.map((session) => ({
      ...billedSession(session, language),
      startedAt: session.startedAt.toISOString(),
      endedAt: session.endedAt.toISOString(),
      cost: session.cost,
    })),
  };
}

/** The credit note that takes an invoice back: the same with all amounts negative. */
export function creditOf(invoice: InvoiceRecord, reason: string): NewInvoice {
  const { networkId, userId, currency, document } = invoice;
  return {
    networkId,
    kind: 'CREDIT_NOTE',
    creditedId: invoice.id,
    reason,
    userId,
    currency,
    totalExclVatMinor: -invoice.totalExclVatMinor,
    totalVatMinor: -invoice.totalVatMinor,
    totalInclVatMinor: -invoice.totalInclVatMinor,
    document: {
      ...document,
      sessions: document.sessions.map((session) => ({
        ...session,
        cost: storeCost(negate(readCost(session.cost))),
      })),
    },
  };
}

/** Returns the cost with negative quantities and amounts; the unit prices stay. */
function negate(cost: Cost): Cost {
  return {
    ...cost,
    lines: cost.lines.map((line) => ({
      ...line,
      quantity: -line.quantity,
      exclVatMinor: -line.exclVatMinor,
      vatMinor: -line.vatMinor,
    })),
    totalExclVatMinor: -cost.totalExclVatMinor,
    totalVatMinor: -cost.totalVatMinor,
    totalInclVatMinor: -cost.totalInclVatMinor,
  };
}

/** Returns true when an invoice asks for payment: neither a credit note nor reversed by one. */
export function isPayable({ kind, creditedBy }: Pick<InvoiceRecord, 'kind' | 'creditedBy'>): boolean {
  return kind === 'INVOICE' && creditedBy === null;
}

/** Returns the sessions of an invoice with their prices. */
export function pricedSessions({ sessions }: InvoiceDocument) {
  return sessions.map(({ uuid, cost }) => ({
    uuid,
    totalInclVatMinor: readCost(cost).totalInclVatMinor,
  }));
}

/** The date by which an invoice is to be paid. */
export function invoiceDueDate({ issuedAt, document }: InvoiceRecord): string {
  return dueDateOf(issuedAt, document.timeZone, document.paymentTermDays);
}

/** Returns an invoice in the form in which it is drawn. */
export function billOf(invoice: InvoiceRecord, paymentStatus: PaymentStatus, logo: Uint8Array | null): Bill {
  const { document, ...record } = invoice;
  const { language, seller } = document;
  return {
    ...record,
    ...document,
    language: documentTag(language, { language, country: seller.country }),
    logo,
    replaces: null,
    signatureState: 'NONE',
    isSignedEnergyBilled: true,
    invoiceNumber: null,
    paymentStatus: isPayable(invoice) ? paymentStatus : credited,
    dueDate: invoiceDueDate(invoice),
    sessions: document.sessions.map((session) => ({
      ...session,
      startedAt: new Date(session.startedAt),
      endedAt: new Date(session.endedAt),
      cost: readCost(session.cost),
    })),
  };
}
