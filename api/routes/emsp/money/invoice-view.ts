import { type Static, Type } from 'typebox';
import { DateTime, kilo, Named, Nullable, OneOf, Uuid } from '#api/routes/schema.ts';
import { invoiceDueDate } from '#api/services/money/invoice-document.ts';
import {
  type InvoiceReading,
  type InvoiceSummary,
  invoiceKinds,
  majorTotals,
} from '#api/services/money/invoices.service.ts';
import { type SessionCost, storedCost, sumByVat } from '#api/services/charging/session-cost.ts';
import { paymentFields, paymentView } from './payment-view.ts';
import { CostLine, VatRate } from '#api/routes/emsp/charging/session-view.ts';

/** Fields of an invoice in a list. */
export const invoiceSummaryFields = {
  invoiceNumber: Type.String({
    description: 'Invoice number, YYYY-000001: consecutive within a year and a network.',
    examples: ['2026-000042'],
  }),
  kind: OneOf(invoiceKinds, 'Kind of document. CREDIT_NOTE: cancels an invoice with negative amounts.'),
  credits: Nullable(
    Type.String({
      description: 'Number of the invoice that the credit note cancels. Null for an invoice.',
      examples: ['2026-000041'],
    }),
  ),
  creditedBy: Nullable(
    Type.String({
      description: 'Number of the credit note that cancelled the invoice. Null without one.',
      examples: ['2026-000043'],
    }),
  ),
  reason: Nullable(
    Type.String({
      description: 'Reason of the credit note. Null for an invoice.',
      examples: ['Paid at the desk'],
    }),
  ),
  networkId: Uuid('Network identifier.'),
  userId: Nullable(Uuid('Driver identifier. Null when the driver is unknown.')),
  issuedAt: DateTime('Time of issue. It never changes.'),
  transactionCount: Type.Integer({ description: 'Number of transactions on the invoice.', examples: [12] }),
  currency: Type.String({
    description: 'Currency of the amounts (ISO 4217), which are in its major unit.',
    examples: ['EUR'],
  }),
  totalExclVat: Type.Number({
    description: 'Total without VAT, in the major unit of the currency.',
    examples: [5],
  }),
  totalVat: Type.Number({
    description: 'VAT of the total, in the major unit of the currency.',
    examples: [1.05],
  }),
  totalInclVat: Type.Number({
    description: 'Total with VAT, in the major unit of the currency.',
    examples: [6.05],
  }),
};

/** Invoice in a list. */
export const InvoiceItem = Named('InvoiceSummary', invoiceSummaryFields);

const Seller = Named('InvoiceSeller', {
  name: Type.String({ description: 'Name of the network.', examples: ['Harbour Charging'] }),
  legalName: Nullable(
    Type.String({
      description: 'Registered name of the company. Null when none is set.',
      examples: ['Harbour Charging BV'],
    }),
  ),
  vatNumber: Nullable(
    Type.String({
      description: 'VAT identification number. Null when none is set.',
      examples: ['NL123456789B01'],
    }),
  ),
  postalAddress: Nullable(
    Type.String({
      description: 'Street lines of the postal address, separated by line breaks. Null when none is set.',
      examples: ['Quay 1'],
    }),
  ),
  postalCode: Nullable(
    Type.String({ description: 'Postal code. Null when unknown.', examples: ['3011 AA'] }),
  ),
  city: Nullable(Type.String({ description: 'Town or city.', examples: ['Rotterdam'] })),
  country: Nullable(
    Type.String({ description: 'Country (ISO 3166-1 alpha-2). Null when none is set.', examples: ['NLD'] }),
  ),
  iban: Nullable(
    Type.String({
      description: 'IBAN of the account for payments, without spaces. Null when none is set.',
      examples: ['NL91ABNA0417164300'],
    }),
  ),
  bic: Nullable(
    Type.String({ description: 'BIC of the account. Null when none is set.', examples: ['ABNANL2A'] }),
  ),
  bankAccount: Nullable(
    Type.String({
      description: 'Account without an IBAN, as printed. Null when none is set.',
      examples: ['Bankgiro 123-4567'],
    }),
  ),
  website: Nullable(
    Type.String({
      description: 'URL of the website. Null if not set.',
      examples: ['https://harbour.example'],
    }),
  ),
  supportEmail: Nullable(
    Type.String({
      description: 'E-mail address of the support. Null when none is set.',
      examples: ['help@harbour.example'],
    }),
  ),
  supportPhone: Nullable(
    Type.String({
      description: 'Telephone number of the support. Null when none is set.',
      examples: ['+31 10 123 4568'],
    }),
  ),
});

const Buyer = Named('InvoiceBuyer', {
  name: Type.String({ description: 'Name of the buyer.', examples: ['Harbour Charging'] }),
  email: Nullable(
    Type.String({
      description: 'E-mail address of the buyer. Null when unknown.',
      examples: ['ada@example.org'],
    }),
  ),
  postalAddress: Nullable(
    Type.String({
      description: 'Street lines of the postal address, separated by line breaks. Null when none is set.',
      examples: ['Quay 1'],
    }),
  ),
  vatNumber: Nullable(
    Type.String({
      description: 'VAT identification number. Null when none is set.',
      examples: ['NL123456789B01'],
    }),
  ),
});

const LineItem = Named('InvoiceLine', {
  transactionId: Uuid('Transaction identifier. It equals the session identifier.'),
  chargerUid: Type.String({
    description: 'OCPP identity of the charger, as printed on it.',
    examples: ['QUAY-1'],
  }),
  connectorNumber: Type.Integer({
    description: 'Connector number at the charger, starting at 1.',
    examples: [1],
  }),
  locationName: Nullable(
    Type.String({
      description: 'Name of the location. Null when the charger has no location.',
      examples: ['Quay'],
    }),
  ),
  locationAddress: Nullable(
    Type.String({
      description: 'Postal address of the location, separated by line breaks. Null when unknown.',
      examples: ['Quay 1\n3011 AA Rotterdam\nNetherlands'],
    }),
  ),
  startedAt: DateTime("Time the session started, by the charger's clock."),
  endedAt: DateTime("Time the session ended, by the charger's clock."),
  energyKwh: Type.Number({ description: 'Energy of the session in kWh.', examples: [12.5] }),
  exclVat: Type.Number({
    description: 'Amount without VAT, in the major unit of the currency.',
    examples: [5],
  }),
  vat: Type.Number({ description: 'VAT in the major unit of the currency.', examples: [1.05] }),
  inclVat: Type.Number({
    description: 'Amount with VAT, in the major unit of the currency.',
    examples: [6.05],
  }),
  components: Type.Array(CostLine, {
    description: 'Lines of the cost. They add up to the amounts of the item.',
  }),
});

const Payment = Type.Object(
  {
    ...paymentFields,
    dueDate: Type.String({
      format: 'date',
      description: 'Due date of the invoice, in the time zone of the network.',
      examples: ['2026-12-23'],
    }),
    reference: Type.String({
      description: 'Payment reference: the invoice number.',
      examples: ['2026-000042'],
    }),
  },
  {
    title: 'InvoicePayment',
    description: 'Payments of the invoice so far, and the amount due. `seller` contains the account.',
  },
);

/** Contents of an invoice as issued, and its payments. */
export const documentFields = {
  seller: Seller,
  buyer: Type.Union([Buyer, Type.Null()], {
    description: 'Buyer on the invoice. Null if the driver is unknown.',
  }),
  payment: Payment,
  lineItems: Type.Array(LineItem, {
    description: 'Items, one per transaction. They add up to the totals.',
  }),
  vatRates: Type.Array(VatRate, {
    description: 'Sum of the components by VAT rate. A null rate: no VAT applies.',
  }),
};

/** Invoice as issued. */
export const Invoice = Type.Object(
  { ...invoiceSummaryFields, ...documentFields },
  { title: 'Invoice', description: 'The invoice as issued, and its payments so far.' },
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
  return { ...invoiceItemView(invoice), ...documentView(invoice) };
}

/** Converts the contents of an invoice. */
export function documentView(invoice: InvoiceReading) {
  const { seller, buyer, sessions } = invoice.document;
  const costs = sessions.map(({ cost }) => cost);
  return {
    seller,
    buyer,
    payment: {
      ...paymentView(invoice.paymentStatus, invoice.currency),
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
