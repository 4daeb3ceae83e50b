import { type Static, Type } from 'typebox';
import { DateTime, kilo, Named, Nullable, OneOf, Uuid } from '#api/routes/schema.ts';
import { type TransactionReading, transactionStatuses } from '#api/services/transactions.ts';
import { costBreakdown, costTotals } from './session-view.ts';

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
  { ...fields, cost: Nullable(Type.Object(costBreakdown)) },
  { title: 'Transaction', description: 'The transaction with its cost breakdown' },
);

/** A transaction as the API shows it; what of the cost is shown is up to the schema. */
export function transactionView(reading: TransactionReading): Static<typeof TransactionDetail> {
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
