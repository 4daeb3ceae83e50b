import { requireDriver } from '#api/services/access/callers.ts';
import { DomainError } from '#shared/domain/kernel/errors.ts';
import type { Transaction } from '#shared/postgres/kernel/client.ts';
import {
  ensureTopUp,
  lockTopUp,
  nameTopUp,
  recordMismatch,
  takeEvent,
  type TopUpRecord,
  updateTopUp,
} from '#shared/postgres/money/top-ups.statements.ts';
import { ensureWallet, moveMoney } from '#shared/postgres/money/wallets.statements.ts';
import { inMinor } from '#api/services/kernel/amounts.ts';
import { type Actor, audit } from '#api/services/access/audit.ts';
import { causeOf } from '#api/services/access/idempotency.service.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import type { PaidAmount, PaymentDeps, PaymentEvent, PaymentProvider } from './payments/provider.ts';

/** Payment that a driver continues in the provider's own component. */
interface BegunTopUp {
  id: string;
  walletId: string;
  /** In major units. */
  amount: number;
  currency: string;
  provider: string;
  clientSecret: string;
}

/**
 * Begins a payment into the wallet of the calling driver, and creates a missing wallet. The
 * wallet is credited when the provider reports the payment as received.
 * @throws {DomainError} DRIVER_KEY_REQUIRED, PAYMENTS_DISABLED, VALIDATION_FAILED, PAYMENT_PROVIDER_FAILED.
 */
export async function beginTopUp(
  { sql, payments }: ServiceDeps & PaymentDeps,
  by: Actor,
  amount: number,
): Promise<BegunTopUp> {
  const { caller } = by;
  const userId = requireDriver(caller);
  const provider = requireProvider(payments);
  const opened = await ensureWallet(sql, caller.networks, { id: userId });
  if (opened === null) throw new DomainError('USER_NOT_FOUND', 'The driver of this key was removed.');
  const { id: walletId, uuid: walletUuid, currency } = opened.wallet;
  const amountMinor = inMinor(amount, currency);
  // A repeat with the same Idempotency-Key continues this top-up and its payment at the provider.
  const topUp = await ensureTopUp(sql, { uuid: causeOf(by), walletId, amountMinor, provider: provider.name });
  const { reference, clientSecret } = await provider.beginPayment({
    topUpUuid: topUp.uuid,
    amountMinor,
    currency,
  });
  await nameTopUp(sql, topUp.id, reference);
  return { id: topUp.uuid, walletId: walletUuid, amount, currency, provider: provider.name, clientSecret };
}

/**
 * Processes a webhook of a payment provider: credits a payment, and debits a refund or dispute, where the
 * missing part is owed. A repeated event, or one of a payment that is not ours, changes nothing; one in
 * another currency than the wallet's books nothing and opens an alert.
 * @throws {DomainError} PAYMENTS_DISABLED, SIGNATURE_INVALID, PAYMENT_PROVIDER_FAILED.
 */
export async function processPaymentEvent(
  { sql, payments }: ServiceDeps & PaymentDeps,
  name: string,
  body: Buffer,
  signature: string | undefined,
): Promise<void> {
  const provider = requireProvider(payments, name);
  const event = provider.readEvent(body, signature);
  if (event === null) return;
  await sql.begin(async (transaction) => {
    if (!(await takeEvent(transaction, provider.name, event.id))) return;
    const topUp = await lockTopUp(transaction, provider.name, event);
    if (topUp === null) return;
    const now = await becomes(transaction, provider, event, topUp);
    await updateTopUp(transaction, { ...topUp, ...now }, event.reference);
  });
}

/** Returns the state of a locked top-up after an event, and moves its money. */
async function becomes(
  transaction: Transaction,
  provider: PaymentProvider,
  event: PaymentEvent,
  topUp: TopUpRecord,
): Promise<Partial<TopUpRecord>> {
  if (event.type === 'cancelled') return topUp.status === 'PENDING' ? { status: 'CANCELLED' } : {};
  if (event.type === 'refunds-changed') {
    // Read while the top-up is locked, so that the last reader has the newest sum.
    const refunded = await provider.readRefunded(event.reference);
    if (refunded !== null && refunded.currency !== topUp.currency) {
      return reportMismatch(transaction, event, topUp, refunded);
    }
    const refundedMinor = refunded?.amountMinor ?? 0n;
    await moveMoney(transaction, topUp.walletId, {
      cause: 'REFUND',
      causeId: event.id,
      counter: 'cash',
      amountMinor: topUp.refundedMinor - refundedMinor,
      mayOwe: true,
    });
    return { refundedMinor };
  }
  if (event.paid === null || topUp.status === 'PAID') return {};
  if (event.paid.currency !== topUp.currency) {
    return reportMismatch(transaction, event, topUp, event.paid);
  }
  const { amountMinor } = event.paid;
  await moveMoney(transaction, topUp.walletId, {
    cause: 'TOP_UP',
    causeId: topUp.uuid,
    counter: 'cash',
    amountMinor,
    mayOwe: true,
  });
  return { status: 'PAID', amountMinor };
}

/** Reports an event in another currency than the wallet's to the operator. The event is taken, and nothing is booked. */
async function reportMismatch(
  transaction: Transaction,
  { id: eventId, type, reference }: PaymentEvent,
  topUp: TopUpRecord,
  reported: PaidAmount,
): Promise<Partial<TopUpRecord>> {
  await recordMismatch(transaction, topUp, reported);
  const { networkId, walletUuid, currency } = topUp;
  await audit(
    transaction,
    { part: 'payments' },
    {
      networkId,
      category: 'wallet',
      action: 'currency-mismatch',
      resourceId: walletUuid,
      resourceName: reference,
      description: `payment ${reference} was reported in ${reported.currency}, and its wallet is in ${currency}: nothing is booked`,
      details: { eventId, type, topUpId: topUp.uuid, currency, reported },
    },
  );
  return {};
}

function requireProvider(payments: PaymentProvider | null, name?: string): PaymentProvider {
  if (payments !== null && (name === undefined || payments.name === name)) return payments;
  throw new DomainError('PAYMENTS_DISABLED', 'No payment provider is set up.');
}
