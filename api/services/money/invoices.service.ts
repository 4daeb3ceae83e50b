import { DomainError } from '#shared/domain/kernel/errors.ts';
import type { Page, PageRequest } from '#shared/domain/kernel/page.ts';
import { onlyNetworks } from '#shared/domain/access/tenancy.ts';
import { type BillableSession, lockBillableSessions } from '#shared/postgres/charging/billable-sessions.ts';
import { type Queryable, type Transaction, violates } from '#shared/postgres/kernel/client.ts';
import {
  type Buyer,
  findInvoices,
  insertInvoice,
  type InvoiceRecord,
  type InvoiceSummary,
  listInvoices,
  type NewInvoice,
} from '#shared/postgres/money/invoices.statements.ts';
import { stampSessions, unstampSessions } from '#shared/postgres/charging/session-writes/invoicing.ts';
import { findNetworkById } from '#shared/postgres/fleet/network-details.ts';
import { toMajor } from '#shared/pricing/money.ts';
import { type Actor, auditChange } from '#api/services/access/audit.ts';
import { type BillDeps, type PricedSession, requireFinal, requirePriced } from './bills.ts';
import { type Caller, requireOperator } from '#api/services/access/callers.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import {
  billOf,
  buyerOf,
  creditOf,
  documentOf,
  isPayable,
  pricedSessions,
  totalsOf,
} from './invoice-document.ts';
import { networksOfCall } from '#api/services/access/networks.service.ts';
import { requireSeller } from '#api/services/fleet/sellers.ts';
import { credited, readPaymentStatus, type PaymentStatus } from './payment-status.ts';

export { type InvoiceSummary, invoiceKinds } from '#shared/postgres/money/invoices.statements.ts';

/** Request for an invoice. Without a buyer it is for the driver. */
interface InvoiceRequest {
  transactionIds: readonly string[];
  buyer?: Partial<Buyer> & Pick<Buyer, 'name'>;
}

/** Identification of an invoice: its uuid, or its number and its network where the caller has several. */
type InvoiceName = { uuid: string } | { number: string; networkUuid?: string | undefined };

/** Returns the totals of an invoice, in major units. */
export function majorTotals({ currency, ...invoice }: InvoiceSummary) {
  return {
    totalExclVat: toMajor(invoice.totalExclVatMinor, currency),
    totalVat: toMajor(invoice.totalVatMinor, currency),
    totalInclVat: toMajor(invoice.totalInclVatMinor, currency),
  };
}

/** One page of the caller's invoices, newest first: a driver's own, an operator's networks'. */
export async function listCallerInvoices(
  { sql }: Pick<ServiceDeps, 'sql'>,
  { networks, userId }: Caller,
  page: PageRequest,
): Promise<Page<InvoiceSummary>> {
  return listInvoices(sql, { networks, userId }, page);
}

/** An invoice with what was paid of it so far. */
export interface InvoiceReading extends InvoiceRecord {
  paymentStatus: PaymentStatus;
}

/** @throws {DomainError} INVOICE_NOT_FOUND, INVOICE_AMBIGUOUS, NETWORK_NOT_FOUND. */
export async function readInvoice(
  deps: ServiceDeps,
  caller: Caller,
  name: InvoiceName,
): Promise<InvoiceReading> {
  return withPaymentStatus(deps.sql, await findInvoice(deps, caller, name));
}

async function withPaymentStatus(sql: Queryable, invoice: InvoiceRecord): Promise<InvoiceReading> {
  if (!isPayable(invoice)) return { ...invoice, paymentStatus: credited };
  return { ...invoice, paymentStatus: await readPaymentStatus(sql, pricedSessions(invoice.document)) };
}

async function findInvoice(deps: ServiceDeps, caller: Caller, name: InvoiceName): Promise<InvoiceRecord> {
  const networks = 'uuid' in name ? caller.networks : await networksOfCall(deps, caller, name.networkUuid);
  const found = await findInvoices(deps.sql, { networks, userId: caller.userId }, name);
  const [invoice] = found;
  if (invoice === undefined) {
    const key = 'uuid' in name ? name.uuid : name.number;
    throw new DomainError('INVOICE_NOT_FOUND', `There is no invoice ${key}.`);
  }
  if (found.length > 1) {
    throw new DomainError(
      'INVOICE_AMBIGUOUS',
      `${found.length} networks have an invoice ${invoice.number}: specify one.`,
      {
        networks: found.map(({ networkUuid }) => networkUuid),
      },
    );
  }
  return invoice;
}

/** The invoice as a PDF, and its number. @throws {DomainError} as `readInvoice`, and RENDERER_BUSY. */
export async function renderInvoice(
  deps: ServiceDeps & BillDeps,
  caller: Caller,
  name: InvoiceName,
): Promise<{ number: string; pdf: Uint8Array }> {
  const { paymentStatus, ...invoice } = await readInvoice(deps, caller, name);
  const logo = await deps.logos.find(invoice.document.logoUrl);
  return { number: invoice.number, pdf: await deps.bills.render(billOf(invoice, paymentStatus, logo)) };
}

/**
 * Invoices completed sessions of one driver, network and currency: all of them, or none.
 * @throws {DomainError} TRANSACTION_NOT_FOUND, VALIDATION_FAILED, SESSION_INVOICED, SESSION_NOT_COMPLETED,
 * SESSION_NOT_PRICED, SESSION_NOT_FINAL, SELLER_INCOMPLETE.
 */
export async function issueInvoice(
  { sql }: Pick<ServiceDeps, 'sql'>,
  by: Actor,
  { transactionIds, buyer }: InvoiceRequest,
): Promise<InvoiceReading> {
  const { networks, userId } = by.caller;
  return sql.begin(async (transaction) => {
    const found = await lockBillableSessions(transaction, { networks, userId }, transactionIds);
    const sessions = requireInvoiceable(found, transactionIds);
    const [first] = sessions;
    const network = await findNetworkById(transaction, first.networkId);
    const document = documentOf(network, buyerOf(first, buyer), sessions);
    const paymentStatus = await readPaymentStatus(transaction, pricedSessions(document));
    requireSeller(network, paymentStatus.dueMinor > 0n);
    const invoice: NewInvoice = {
      networkId: network.id,
      kind: 'INVOICE',
      creditedId: null,
      reason: null,
      userId: first.userId,
      currency: first.currency,
      ...totalsOf(sessions),
      document,
    };
    const issued = await issue(transaction, by, invoice);
    await stampSessions(
      transaction,
      sessions.map(({ id }) => id),
      issued.number,
    );
    return { ...issued, paymentStatus };
  });
}

/**
 * Credits an invoice as a whole, by a credit note with a number of its own. Its sessions can be corrected
 * then, and invoiced again.
 * @throws {DomainError} OPERATOR_KEY_REQUIRED, INVOICE_NOT_CREDITABLE, and the errors of `readInvoice`.
 */
export async function creditInvoice(
  deps: ServiceDeps,
  by: Actor,
  name: InvoiceName,
  reason: string,
): Promise<InvoiceReading> {
  requireOperator(by.caller);
  const invoice = await findInvoice(deps, by.caller, name);
  try {
    return await deps.sql.begin(async (transaction) => {
      requireCreditable(invoice);
      const note = await issue(transaction, by, creditOf(invoice, reason));
      await unstampSessions(transaction, invoice.networkId, invoice.number);
      return { ...note, paymentStatus: credited };
    });
  } catch (error) {
    if (!violates(error, 'invoices_credited_id_key')) throw error;
    throw notCreditable(`The invoice ${invoice.number} was credited meanwhile.`);
  }
}

async function issue(transaction: Transaction, by: Actor, invoice: NewInvoice): Promise<InvoiceRecord> {
  const { number } = await insertInvoice(transaction, invoice);
  const scope = { networks: onlyNetworks([invoice.networkId]), userId: null };
  const [issued] = await findInvoices(transaction, scope, { number });
  if (issued === undefined) throw new Error('an invoice that was issued no longer exists');
  const { document, ...summary } = issued;
  await auditChange(transaction, by, {
    networkId: issued.networkId,
    category: 'invoice',
    action: issued.kind === 'INVOICE' ? 'create' : 'credit',
    resourceId: number,
    resourceName: number,
    before: null,
    after: { ...summary, sessions: document.sessions.map(({ uuid }) => uuid) },
    ...(issued.reason !== null && { reason: issued.reason }),
  });
  return issued;
}

/** The sessions, priced and in the order of their starts; there is one at least. */
function requireInvoiceable(
  found: readonly BillableSession[],
  asked: readonly string[],
): [PricedSession, ...PricedSession[]] {
  const there = new Set(found.map(({ uuid }) => uuid));
  const missing = asked.filter((uuid) => !there.has(uuid.toLowerCase()));
  const [first, ...others] = found;
  if (first === undefined || missing.length > 0) {
    throw new DomainError('TRANSACTION_NOT_FOUND', `There is no transaction ${missing.join(', ')}.`, {
      transactionIds: missing,
    });
  }
  requireAlike(found, 'network', ({ networkId }) => networkId);
  requireAlike(found, 'currency', ({ currency }) => currency);
  requireAlike(found, 'driver', holderOf);
  return [invoiceable(first), ...others.map(invoiceable)];
}

/** Returns the identity that sessions are grouped by: the driver, else the token, else the session itself. */
function holderOf({ userId, idToken, uuid }: BillableSession): string {
  if (userId !== null) return `driver ${userId}`;
  return idToken === null ? `session ${uuid}` : `token ${idToken.toLowerCase()}`;
}

function requireAlike(
  sessions: readonly BillableSession[],
  what: string,
  of: (session: BillableSession) => string | number,
): void {
  if (new Set(sessions.map(of)).size === 1) return;
  const message = `must be transactions of one ${what}`;
  throw new DomainError('VALIDATION_FAILED', `Invalid body: transactionIds ${message}.`, {
    errors: [{ field: 'transactionIds', message }],
  });
}

function invoiceable(session: BillableSession): PricedSession {
  const { uuid, invoiceNumber } = session;
  if (invoiceNumber !== null) {
    throw new DomainError('SESSION_INVOICED', `The session ${uuid} is on the invoice ${invoiceNumber}.`, {
      sessionId: uuid,
      invoiceNumber,
    });
  }
  const priced = requirePriced(session);
  requireFinal(priced);
  return priced;
}

function requireCreditable({ kind, number, creditedBy }: InvoiceRecord): void {
  if (kind === 'CREDIT_NOTE') throw notCreditable(`${number} is a credit note.`);
  if (creditedBy !== null) {
    throw notCreditable(`The invoice ${number} was credited by ${creditedBy}.`, { creditedBy });
  }
}

function notCreditable(message: string, details?: Record<string, unknown>): DomainError {
  return new DomainError('INVOICE_NOT_CREDITABLE', message, details);
}
