import { type Static, Type } from 'typebox';
import { DateTime, kilo, Named, Nullable, OneOf, Uuid } from '#api/routes/schema.ts';
import {
  type SettledTransaction,
  type TransactionReading,
  transactionStatuses,
} from '#api/services/money/transactions.ts';
import { paymentFields, paymentView } from './payment-view.ts';
import { costBreakdown, costTotals } from '#api/routes/emsp/charging/session-view.ts';

const fields = {
  id: Uuid('That of the session'),
  status: OneOf(
    transactionStatuses,
    'OPEN: priced and on no invoice; PENDING: priced as soon as its readings were read; UNPRICED: there was no tariff; REVIEW: the charger reported implausible values, and nothing is charged before the operator approves or amends them',
  ),
  invoiceNumber: Nullable(Type.String({ description: 'Of the invoice that it is on' })),
  networkId: Uuid(),
  chargerId: Uuid(),
  chargerUid: Type.String(),
  connectorId: Uuid(),
  connectorNumber: Type.Integer(),
  locationId: Nullable(Uuid()),
  locationName: Nullable(Type.String()),
  userId: Nullable(Uuid('The driver; null for a token of nobody known')),
  idTag: Nullable(Type.String({ description: 'The token that was shown' })),
  tariffName: Nullable(Type.String({ description: 'As it was at the start' })),
  startedAt: DateTime(),
  endedAt: DateTime(),
  durationSeconds: Type.Integer(),
  idleSeconds: Type.Integer({ description: 'Of all idle periods: parked without charging' }),
  energyKwh: Type.Number(),
  meterStartKwh: Nullable(Type.Number({ description: 'The energy register' })),
  meterStopKwh: Nullable(Type.Number()),
  stopReason: Nullable(Type.String()),
  flags: Type.Array(Type.String(), { description: 'What was odd about the data of the charger' }),
  updatedAt: DateTime(),
};

/** A transaction in a list: its price without the lines. */
export const TransactionItem = Named('TransactionSummary', {
  ...fields,
  cost: Nullable(Type.Object(costTotals)),
});

/** A transaction with its cost breakdown. */
export const TransactionDetail = Type.Object(
  {
    ...fields,
    cost: Nullable(Type.Object(costBreakdown)),
    receiptNumber: Nullable(
      Type.String({ description: 'R-YYYY-000001; null: no receipt was requested so far' }),
    ),
    payment: Nullable(
      Type.Object(paymentFields, {
        title: 'TransactionPayment',
        description: 'Null: there is no final price',
      }),
    ),
  },
  { title: 'Transaction', description: 'The transaction with its cost breakdown and its payments' },
);

/** A transaction as the API shows it; what of the cost is shown is up to the schema. */
export function transactionView(reading: TransactionReading): Static<typeof TransactionItem> {
  const { transaction, durationSeconds, idleSeconds, cost } = reading;
  return {
    id: transaction.uuid,
    status: transaction.billing,
    invoiceNumber: transaction.invoiceNumber,
    networkId: transaction.networkUuid,
    chargerId: transaction.chargerUuid,
    chargerUid: transaction.chargerUid,
    connectorId: transaction.connectorUuid,
    connectorNumber: transaction.connectorNumber,
    locationId: transaction.locationUuid,
    locationName: transaction.locationName,
    userId: transaction.userUuid,
    idTag: transaction.idToken,
    tariffName: transaction.tariff?.name ?? null,
    startedAt: transaction.startedAt.toISOString(),
    endedAt: transaction.endedAt.toISOString(),
    durationSeconds,
    idleSeconds,
    energyKwh: kilo(transaction.energyWh),
    meterStartKwh: kilo(transaction.meterStartWh),
    meterStopKwh: kilo(transaction.meterStopWh),
    stopReason: transaction.stopReason,
    flags: transaction.flags,
    updatedAt: transaction.updatedAt.toISOString(),
    cost,
  };
}

/** A transaction with its receipt and its payments, as the API shows it. */
export function settledTransactionView(reading: SettledTransaction): Static<typeof TransactionDetail> {
  const { transaction, cost, receiptNumber, settlement } = reading;
  return {
    ...transactionView(reading),
    cost,
    receiptNumber,
    payment: settlement && paymentView(settlement, transaction.currency),
  };
}
