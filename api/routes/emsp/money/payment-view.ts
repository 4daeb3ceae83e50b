import { type Static, Type } from 'typebox';
import { DateTime, Decimal, isoOrNull, Named, Nullable, OneOf, Str, Uuid } from '#api/routes/schema.ts';
import {
  majorPaymentStatus,
  paymentMethods,
  paymentStates,
  type PaymentStatus,
} from '#api/services/money/payment-status.ts';

/** Payments of a bill, and the amount due. */
export const paymentFields = {
  state: OneOf(
    paymentStates,
    'State of the payment. FREE: the price is zero. PAID: nothing is due. DUE: `due` remains to be paid. ' +
      'CREDITED: a credit note cancelled the invoice.',
  ),
  paid: Decimal('Sum of the payments, in the major unit of the currency.', 6.05),
  due: Decimal('Amount due, in the major unit of the currency.', 0),
  payments: Type.Array(
    Named('SessionPayment', {
      transactionId: Uuid('Transaction identifier. It equals the session identifier.'),
      method: OneOf(
        paymentMethods,
        'Method of payment. WALLET: wallet of the driver. TOP_UP: later top-up of a wallet that was short. ' +
          'ROAMING: through a roaming partner.',
      ),
      provider: Nullable(
        Str('Payment provider of a top-up, or name of the roaming partner. Null otherwise.', 'stripe'),
      ),
      amount: Decimal(
        'Amount in the major unit of the currency. Negative amounts were returned to the wallet.',
        25,
      ),
      paidAt: Nullable(DateTime("Time of the booking. Null for ROAMING, where the partner's terms apply.")),
    }),
    { description: 'Payments so far, in the order of their booking.' },
  ),
};

/** Converts a paymentStatus. */
export function paymentView(paymentStatus: PaymentStatus, currency: string) {
  const { state, paid, due, payments } = majorPaymentStatus(paymentStatus, currency);
  return {
    state,
    paid,
    due,
    payments: payments.map(({ sessionUuid, method, provider, amount, paidAt }) => ({
      transactionId: sessionUuid,
      method,
      provider,
      amount,
      paidAt: isoOrNull(paidAt),
    })),
  } satisfies Static<ReturnType<typeof Type.Object<typeof paymentFields>>>;
}
