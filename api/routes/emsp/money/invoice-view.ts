import { type Static, Type } from 'typebox';
import { DateTime, kilo, Named, Nullable, OneOf, Uuid } from '#api/routes/schema.ts';
import { invoiceDueDate } from '#api/services/money/invoice-document.ts';
import {
  type InvoiceReading,
  type InvoiceSummary,
  invoiceKinds,
  majorTotals,
} from '#api/services/money/invoices.ts';
import { type SessionCost, storedCost, sumByVat } from '#api/services/charging/session-cost.ts';
import { paymentFields, paymentView } from './payment-view.ts';
import { CostLine, VatRate } from '#api/routes/emsp/charging/session-view.ts';

const summaryFields = {
  invoiceNumber: Type.String({ description: 'YYYY-000001: counted by year, without gaps, within a network' }),
  kind: OneOf(invoiceKinds, 'CREDIT_NOTE: it takes an invoice back; its amounts are negative'),
  credits: Nullable(Type.String({ description: 'The invoice that a credit note takes back' })),
  creditedBy: Nullable(Type.String({ description: 'The credit note that took it back' })),
  reason: Nullable(Type.String({ description: 'Why it was taken back' })),
  networkId: Uuid(),
  userId: Nullable(Uuid('The driver; null: nobody known')),
  issuedAt: DateTime(),
  transactionCount: Type.Integer(),
  currency: Type.String({ description: 'ISO 4217; amounts are in its major unit' }),
  totalExclVat: Type.Number(),
  totalVat: Type.Number(),
  totalInclVat: Type.Number(),
};

/** An invoice in a list. */
export const InvoiceItem = Named('InvoiceSummary', summaryFields);

const Seller = Named('InvoiceSeller', {
  name: Type.String(),
  legalName: Nullable(Type.String()),
  vatNumber: Nullable(Type.String()),
  postalAddress: Nullable(Type.String()),
  postalCode: Nullable(Type.String()),
  city: Nullable(Type.String()),
  country: Nullable(Type.String({ description: 'ISO 3166-1 alpha-2' })),
  iban: Nullable(Type.String({ description: 'Account that the invoice is paid to, without spaces' })),
  bic: Nullable(Type.String({ description: 'BIC of the account' })),
  bankAccount: Nullable(Type.String({ description: 'Account that has no IBAN, as it is printed' })),
  website: Nullable(Type.String()),
  supportEmail: Nullable(Type.String()),
  supportPhone: Nullable(Type.String()),
});

const Buyer = Named('InvoiceBuyer', {
  name: Type.String(),
  email: Nullable(Type.String()),
  postalAddress: Nullable(Type.String()),
  vatNumber: Nullable(Type.String()),
});

const LineItem = Named('InvoiceLine', {
  transactionId: Uuid(),
  chargerUid: Type.String(),
  connectorNumber: Type.Integer(),
  locationName: Nullable(Type.String()),
  locationAddress: Nullable(Type.String()),
  startedAt: DateTime(),
  endedAt: DateTime(),
  energyKwh: Type.Number(),
  exclVat: Type.Number(),
  vat: Type.Number(),
  inclVat: Type.Number(),
  components: Type.Array(CostLine, { description: 'They add up to the amounts of the item' }),
});

const Payment = Type.Object(
  {
    ...paymentFields,
    dueDate: Type.String({
      format: 'date',
      description: 'Day by which the invoice is to be paid, in the time zone of the network',
    }),
    reference: Type.String({ description: 'Reference to state with a payment: the invoice number' }),
  },
  {
    title: 'InvoicePayment',
    description: 'What was paid of the invoice so far, and what is due. The account is in `seller`',
  },
);

/** An invoice as it was issued. */
export const Invoice = Type.Object(
  {
    ...summaryFields,
    seller: Seller,
    buyer: Type.Union([Buyer, Type.Null()]),
    payment: Payment,
    lineItems: Type.Array(LineItem, { description: 'One for each transaction; they add up to the totals' }),
    vatRates: Type.Array(VatRate, {
      description: 'The components summed for each rate of VAT; null: none applies',
    }),
  },
  { title: 'Invoice', description: 'The invoice as it was issued, and its payments so far' },
);

export function invoiceItemView(invoice: InvoiceSummary): Static<typeof InvoiceItem> {
  return {
    invoiceNumber: invoice.number,
    kind: invoice.kind,
    credits: invoice.credits,
    creditedBy: invoice.creditedBy,
    reason: invoice.reason,
    networkId: invoice.networkUuid,
    userId: invoice.userUuid,
    issuedAt: invoice.issuedAt.toISOString(),
    transactionCount: invoice.sessionCount,
    currency: invoice.currency,
    ...majorTotals(invoice),
  };
}

export function invoiceView(invoice: InvoiceReading): Static<typeof Invoice> {
  const { seller, buyer, sessions } = invoice.document;
  const costs = sessions.map(({ cost }) => cost);
  return {
    ...invoiceItemView(invoice),
    seller,
    buyer,
    payment: {
      ...paymentView(invoice.settlement, invoice.currency),
      dueDate: invoiceDueDate(invoice),
      reference: invoice.number,
    },
    lineItems: sessions.map((session) => ({
      transactionId: session.uuid,
      chargerUid: session.chargerUid,
      connectorNumber: session.connectorNumber,
      locationName: session.locationName,
      locationAddress: session.locationAddress,
      startedAt: session.startedAt,
      endedAt: session.endedAt,
      energyKwh: kilo(session.energyWh),
      ...itemAmounts(storedCost(session.cost)),
    })),
    vatRates: sumByVat(costs, invoice.currency),
  };
}

function itemAmounts({ totalExclVat, totalVat, totalInclVat, lines }: SessionCost) {
  return { exclVat: totalExclVat, vat: totalVat, inclVat: totalInclVat, components: lines };
}
