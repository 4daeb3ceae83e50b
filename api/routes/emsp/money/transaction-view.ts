import {
  connectorFields,
  connectorView,
  MeterStartKwh,
  MeterStopKwh,
  meterView,
  SessionFlags,
  StopReason,
  tokenFields,
} from '#api/routes/session-fields.ts';
import { type Static, Type } from 'typebox';
import { DateTime, Decimal, Integer, kilo, Named, Nullable, OneOf, Str, Uuid } from '#api/routes/schema.ts';
import {
  type SettledTransaction,
  type TransactionReading,
  transactionStatuses,
} from '#api/services/money/transactions.service.ts';
import { paymentFields, paymentView } from './payment-view.ts';
import { costBreakdown, costTotals } from '#api/routes/emsp/charging/session-view.ts';

const fields = {
  id: Uuid('Transaction identifier. It equals the session identifier.'),
  status: OneOf(
    transactionStatuses,
    'Status of the transaction. OPEN: priced and on no invoice. PENDING: readings are awaited for the price. ' +
      'UNPRICED: no tariff applied. REVIEW: values are implausible or a signature is not valid; nothing is charged ' +
      'before the operator approves or amends them.',
  ),
  invoiceNumber: Nullable(
    Str('Number of the invoice with the transaction. Null when it is on no invoice.', '2026-000042'),
  ),
  networkId: Uuid('Network identifier.'),
  ...connectorFields,
  ...tokenFields,
  tariffName: Nullable(
    Str('Name of the tariff at the start of the session. Null without a tariff.', 'Standard'),
  ),
  startedAt: DateTime("Time the session started, by the charger's clock."),
  endedAt: DateTime("Time the session ended, by the charger's clock."),
  durationSeconds: Integer('Duration of the session in seconds.', 4500),
  idleSeconds: Integer(
    'Time at the connector without charging, the sum of all idle periods, in seconds.',
    300,
  ),
  energyKwh: Decimal('Energy in kWh.', 12.5),
  meterStartKwh: MeterStartKwh,
  meterStopKwh: MeterStopKwh,
  stopReason: StopReason,
  flags: SessionFlags,
  updatedAt: DateTime('Time of the latest change.'),
};

/** Transaction in a list: its price without the lines. */
export const TransactionItem = Named('TransactionSummary', {
  ...fields,
  cost: Nullable(
    Type.Object(costTotals, { description: 'Price of the session. Null when there is no price yet.' }),
  ),
});

/** Transaction with its cost breakdown. */
export const TransactionDetail = Type.Object(
  {
    ...fields,
    cost: Nullable(
      Type.Object(costBreakdown, {
        description: 'Price of the session, with its lines. Null when there is no price yet.',
      }),
    ),
    receiptNumber: Nullable(
      Str('Receipt number, R-YYYY-000001. Null before the first request of the receipt.', 'R-2026-000042'),
    ),
    payment: Nullable(
      Type.Object(paymentFields, {
        title: 'TransactionPayment',
        description: 'Payment of the transaction. Null without a final price.',
      }),
    ),
  },
  { title: 'Transaction', description: 'The transaction with its cost breakdown and its payments.' },
);

/** Converts a transaction. The schema selects the shown parts of the cost. */
export function transactionView(reading: TransactionReading): Static<typeof TransactionItem> {
  const { transaction, durationSeconds, idleSeconds, cost } = reading;
  return {
    id: transaction.uuid,
    status: transaction.billing,
    invoiceNumber: transaction.invoiceNumber,
    networkId: transaction.networkUuid,
    ...connectorView(transaction),
    tariffName: transaction.tariff?.name ?? null,
    startedAt: transaction.startedAt.toISOString(),
    endedAt: transaction.endedAt.toISOString(),
    durationSeconds,
    idleSeconds,
    energyKwh: kilo(transaction.energyWh),
    ...meterView(transaction),
    cost,
  };
}

/** Converts a transaction with its receipt and its payments. */
export function settledTransactionView(reading: SettledTransaction): Static<typeof TransactionDetail> {
  const { transaction, cost, receiptNumber, paymentStatus } = reading;
  return {
    ...transactionView(reading),
    cost,
    receiptNumber,
    payment: paymentStatus && paymentView(paymentStatus, transaction.currency),
  };
}
