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
  invoiceNumber: Nullable(
    Type.String({ description: 'Of the invoice that it is on', examples: ['2026-000042'] }),
  ),
  networkId: Uuid('Network identifier.'),
  chargerId: Uuid('Charger identifier.'),
  chargerUid: Type.String({
    description: 'OCPP identity of the charger, as printed on it.',
    examples: ['QUAY-1'],
  }),
  connectorId: Uuid('Connector identifier.'),
  connectorNumber: Type.Integer({
    description: 'Connector number at the charger, starting at 1.',
    examples: [1],
  }),
  locationId: Nullable(Uuid('Location identifier. Null when the charger has no location.')),
  locationName: Nullable(
    Type.String({
      description: 'Name of the location. Null when the charger has no location.',
      examples: ['Quay'],
    }),
  ),
  userId: Nullable(Uuid('The driver; null for a token of nobody known')),
  idTag: Nullable(Type.String({ description: 'The token that was shown', examples: ['04A1B2C3D4E5F6'] })),
  tariffName: Nullable(Type.String({ description: 'As it was at the start', examples: ['Standard'] })),
  startedAt: DateTime("Time the session started, by the charger's clock."),
  endedAt: DateTime("Time the session ended, by the charger's clock."),
  durationSeconds: Type.Integer({ description: 'Duration of the session in seconds.', examples: [4500] }),
  idleSeconds: Type.Integer({ description: 'Of all idle periods: parked without charging', examples: [300] }),
  energyKwh: Type.Number({ description: 'Energy in kWh.', examples: [12.5] }),
  meterStartKwh: Nullable(Type.Number({ description: 'The energy register', examples: [1204.25] })),
  meterStopKwh: Nullable(
    Type.Number({
      description:
        'Energy register at the end of the session, in kWh. Null when the charger did not report it, or while the session is running.',
      examples: [1216.75],
    }),
  ),
  stopReason: Nullable(
    Type.String({
      description: 'OCPP stop reason, such as Local, Remote or EVDisconnected. Null when none was reported.',
      examples: ['EVDisconnected'],
    }),
  ),
  flags: Type.Array(Type.String({ examples: ['corrected'] }), {
    description: 'What was odd about the data of the charger',
  }),
  updatedAt: DateTime('Time of the latest change.'),
};

/** A transaction in a list: its price without the lines. */
export const TransactionItem = Named('TransactionSummary', {
  ...fields,
  cost: Nullable(
    Type.Object(costTotals, { description: 'Price of the session. Null when there is no price yet.' }),
  ),
});

/** A transaction with its cost breakdown. */
export const TransactionDetail = Type.Object(
  {
    ...fields,
    cost: Nullable(
      Type.Object(costBreakdown, {
        description: 'Price of the session, with its lines. Null when there is no price yet.',
      }),
    ),
    receiptNumber: Nullable(
      Type.String({
        description: 'R-YYYY-000001; null: no receipt was requested so far',
        examples: ['R-2026-000042'],
      }),
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
