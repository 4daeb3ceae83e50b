import { signedEnergyMismatch } from '#shared/domain/charging/signed-meter-value.ts';
import { DomainError } from '#shared/domain/kernel/errors.ts';
import { findBillableSession } from '#shared/postgres/charging/billable-sessions.ts';
import { findNetworkById } from '#shared/postgres/fleet/network-details.ts';
import { ensureReceipt, previewReceipt } from '#shared/postgres/money/receipts.statements.ts';
import { type Bill, type BillDeps, billedSession, dueDateOf, requirePriced } from './bills.ts';
import type { Caller } from '#api/services/access/callers.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import { type DocumentLanguage, documentTag } from './document-language.ts';
import { sellerOf } from '#api/services/fleet/sellers.ts';
import { readPaymentStatus } from './payment-status.ts';

type ReceiptDeps = Pick<ServiceDeps, 'sql'> & BillDeps;

interface ReceiptOptions {
  /** Language of the receipt; by default the driver's. */
  language?: DocumentLanguage | undefined;
  /** Renders a marked page without a number. */
  isPreview?: boolean;
}

/**
 * Returns the receipt of one of the caller's sessions as a PDF. The first call issues its number, unless it is a preview.
 * @throws {DomainError} SESSION_NOT_FOUND, SESSION_NOT_COMPLETED, SESSION_NOT_PRICED, PRICE_IN_REVIEW, RENDERER_BUSY.
 */
export async function renderReceipt(
  deps: ReceiptDeps,
  caller: Caller,
  uuid: string,
  options: ReceiptOptions = {},
): Promise<Uint8Array> {
  return deps.bills.render(await readReceipt(deps, caller, uuid, options));
}

async function readReceipt(
  { sql, logos }: ReceiptDeps,
  { networks, userId }: Caller,
  uuid: string,
  { language: wanted, isPreview = false }: ReceiptOptions,
): Promise<Bill> {
  const found = await findBillableSession(sql, { networks, userId }, uuid);
  if (found === null) throw new DomainError('SESSION_NOT_FOUND', `There is no session ${uuid}.`);
  const session = requirePriced(found);
  const network = await findNetworkById(sql, session.networkId);
  const language = documentTag(wanted ?? session.language, network);
  const billed = billedSession(session, language);
  const { currency, totalExclVatMinor, totalVatMinor, totalInclVatMinor } = billed.cost;
  const [{ number, issuedAt, replaces }, paymentStatus, logo] = await Promise.all([
    (isPreview ? previewReceipt : ensureReceipt)(sql, {
      networkId: session.networkId,
      sessionId: session.id,
      sessionVersion: session.version,
    }),
    readPaymentStatus(sql, [{ uuid: session.uuid, totalInclVatMinor }]),
    logos.find(network.logoUrl),
  ]);
  return {
    kind: 'RECEIPT',
    number,
    issuedAt,
    credits: null,
    reason: null,
    creditedBy: null,
    replaces,
    invoiceNumber: session.invoiceNumber,
    language,
    timeZone: session.timeZone,
    primaryColor: network.primaryColor,
    logo,
    seller: sellerOf(network),
    buyer: null,
    sessions: [billed],
    signatureState: session.signatureState,
    isSignedEnergyBilled: !session.flags.includes(signedEnergyMismatch),
    currency,
    totalExclVatMinor,
    totalVatMinor,
    totalInclVatMinor,
    paymentStatus,
    dueDate: dueDateOf(issuedAt, network.timeZone, network.paymentTermDays),
  };
}
