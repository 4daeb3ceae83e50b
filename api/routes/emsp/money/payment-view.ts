import { type Static, Type } from 'typebox';
import { DateTime, isoOrNull, Named, Nullable, OneOf, Uuid } from '#api/routes/schema.ts';
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
  paid: Type.Number({
    description: 'Sum of the payments, in the major unit of the currency.',
    examples: [6.05],
  }),
  due: Type.Number({ description: 'Amount due, in the major unit of the currency.', examples: [0] }),
  payments: Type.Array(
    Named('SessionPayment', {
      transactionId: Uuid('Transaction identifier. It equals the session identifier.'),
      method: OneOf(
        paymentMethods,
        'Method of payment. WALLET: wallet of the driver. TOP_UP: later top-up of a wallet that was short. ' +
          'ROAMING: through a roaming partner.',
      ),
      provider: Nullable(
        Type.String({
          description: 'Payment provider of a top-up, or name of the roaming partner. Null otherwise.',
          examples: ['stripe'],
        }),
      ),
      amount: Type.Number({
        description:
          'Amount in the major unit of the currency. Negative amounts were returned to the wallet.',
        examples: [25],
      }),
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
