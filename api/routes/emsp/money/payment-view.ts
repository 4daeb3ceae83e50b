import { type Static, Type } from 'typebox';
import { DateTime, isoOrNull, Named, Nullable, OneOf, Uuid } from '#api/routes/schema.ts';
import {
  majorSettlement,
  paymentMethods,
  paymentStates,
  type Settlement,
} from '#api/services/money/settlements.ts';

/** Payments of a bill, and the amount due. */
export const paymentFields = {
  state: OneOf(
    paymentStates,
    'FREE: the price is zero; PAID: nothing is due; DUE: `due` is left to pay; CREDITED: a credit note took the invoice back',
  ),
  paid: Type.Number({
    description: 'Sum of the payments, in the major unit of the currency',
    examples: [6.05],
  }),
  due: Type.Number({ description: 'Left to pay, in the major unit of the currency', examples: [0] }),
  payments: Type.Array(
    Named('SessionPayment', {
      transactionId: Uuid('Transaction identifier. It equals the session identifier.'),
      method: OneOf(
        paymentMethods,
        'WALLET: from the wallet of the driver; TOP_UP: by a later top-up of a wallet that was short; ROAMING: through a roaming partner',
      ),
      provider: Nullable(
        Type.String({
          description: 'Payment provider of a top-up, or name of the roaming partner',
          examples: ['stripe'],
        }),
      ),
      amount: Type.Number({
        description: 'In the major unit of the currency; below zero: returned to the wallet',
        examples: [25],
      }),
      paidAt: Nullable(DateTime('Time of the booking. Null for ROAMING: the partner pays by its own terms')),
    }),
    { description: 'Payments so far, in the order of their booking' },
  ),
};

/** A settlement as the API shows it. */
export function paymentView(settlement: Settlement, currency: string) {
  const { state, paid, due, payments } = majorSettlement(settlement, currency);
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
