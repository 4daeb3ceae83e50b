import { type Static, Type } from 'typebox';
import { DateTime, Decimal, Integer, kilo, Named, Nullable, OneOf, Str, Uuid } from '#api/routes/schema.ts';
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
  invoiceNumber: Str('Invoice number, YYYY-000001: consecutive within a year and a network.', '2026-000042'),
  kind: OneOf(invoiceKinds, 'Kind of document. CREDIT_NOTE: cancels an invoice with negative amounts.'),
  credits: Nullable(
    Str('Number of the invoice that the credit note cancels. Null for an invoice.', '2026-000041'),
  ),
  creditedBy: Nullable(
    Str('Number of the credit note that cancelled the invoice. Null without one.', '2026-000043'),
  ),
  reason: Nullable(Str('Reason of the credit note. Null for an invoice.', 'Paid at the desk')),
  networkId: Uuid('Network identifier.'),
  userId: Nullable(Uuid('Driver identifier. Null when the driver is unknown.')),
  issuedAt: DateTime('Time of issue. It never changes.'),
  transactionCount: Integer('Number of transactions on the invoice.', 12),
  currency: Str('Currency of the amounts (ISO 4217), which are in its major unit.', 'EUR'),
  totalExclVat: Decimal('Total without VAT, in the major unit of the currency.', 5),
  totalVat: Decimal('VAT of the total, in the major unit of the currency.', 1.05),
  totalInclVat: Decimal('Total with VAT, in the major unit of the currency.', 6.05),
};

/** Invoice in a list. */
export const InvoiceItem = Named('InvoiceSummary', invoiceSummaryFields);

const Seller = Named('InvoiceSeller', {
  name: Str('Name of the network.', 'Harbour Charging'),
  legalName: Nullable(Str('Registered name of the company. Null when none is set.', 'Harbour Charging BV')),
  vatNumber: Nullable(Str('VAT identification number. Null when none is set.', 'NL123456789B01')),
  postalAddress: Nullable(
    Str('Street lines of the postal address, separated by line breaks. Null when none is set.', 'Quay 1'),
  ),
  postalCode: Nullable(Str('Postal code. Null when unknown.', '3011 AA')),
  city: Nullable(Str('Town or city.', 'Rotterdam')),
  country: Nullable(Str('Country (ISO 3166-1 alpha-2). Null when none is set.', 'NLD')),
  iban: Nullable(
    Str('IBAN of the account for payments, without spaces. Null when none is set.', 'NL91ABNA0417164300'),
  ),
  bic: Nullable(Str('BIC of the account. Null when none is set.', 'ABNANL2A')),
  bankAccount: Nullable(
    Str('Account without an IBAN, as printed. Null when none is set.', 'Bankgiro 123-4567'),
  ),
  website: Nullable(Str('URL of the website. Null if not set.', 'https://harbour.example')),
  supportEmail: Nullable(
    Str('E-mail address of the support. Null when none is set.', 'help@harbour.example'),
  ),
  supportPhone: Nullable(Str('Telephone number of the support. Null when none is set.', '+31 10 123 4568')),
});

const Buyer = Named('InvoiceBuyer', {
  name: Str('Name of the buyer.', 'Harbour Charging'),
  email: Nullable(Str('E-mail address of the buyer. Null when unknown.', 'ada@example.org')),
  postalAddress: Nullable(
    Str('Street lines of the postal address, separated by line breaks. Null when none is set.', 'Quay 1'),
  ),
  vatNumber: Nullable(Str('VAT identification number. Null when none is set.', 'NL123456789B01')),
});

const LineItem = Named('InvoiceLine', {
  transactionId: Uuid('Transaction identifier. It equals the session identifier.'),
  chargerUid: Str('OCPP identity of the charger, as printed on it.', 'QUAY-1'),
  connectorNumber: Integer('Connector number at the charger, starting at 1.', 1),
  locationName: Nullable(Str('Name of the location. Null when the charger has no location.', 'Quay')),
  locationAddress: Nullable(
    Str(
      'Postal address of the location, separated by line breaks. Null when unknown.',
      'Quay 1\n3011 AA Rotterdam\nNetherlands',
    ),
  ),
  startedAt: DateTime("Time the session started, by the charger's clock."),
  endedAt: DateTime("Time the session ended, by the charger's clock."),
  energyKwh: Decimal('Energy of the session in kWh.', 12.5),
  exclVat: Decimal('Amount without VAT, in the major unit of the currency.', 5),
  vat: Decimal('VAT in the major unit of the currency.', 1.05),
  inclVat: Decimal('Amount with VAT, in the major unit of the currency.', 6.05),
  components: Type.Array(CostLine, {
    description: 'Lines of the cost. They add up to the amounts of the item.',
  }),
});

const Payment = Type.Object(
  {
    ...paymentFields,
    dueDate: Str('Due date of the invoice, in the time zone of the network.', '2026-12-23', {
      format: 'date',
    }),
    reference: Str('Payment reference: the invoice number.', '2026-000042'),
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
