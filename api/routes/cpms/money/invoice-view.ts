import type { Static } from 'typebox';
import {
  documentFields,
  documentView,
  invoiceItemView,
  invoiceSummaryFields,
} from '#api/routes/emsp/money/invoice-view.ts';
import { Decimal, Named, Nullable, OneOf, Str, Uuid } from '#api/routes/schema.ts';
import type { InvoiceWithPayments } from '#api/services/money/invoice-list.service.ts';
import type { InvoiceReading, InvoiceSummary } from '#api/services/money/invoices.service.ts';
import { majorPaymentStatus, paymentStates } from '#api/services/money/payment-status.ts';

const summaryFields = {
  id: Uuid('Invoice identifier.'),
  ...invoiceSummaryFields,
  creditsId: Nullable(Uuid('Identifier of the invoice that the credit note cancels. Null for an invoice.')),
  creditedById: Nullable(Uuid('Identifier of the credit note that cancelled the invoice. Null without one.')),
};

/** Invoice in the operator's list. */
export const OperatorInvoiceItem = Named('OperatorInvoiceSummary', {
  ...summaryFields,
  buyerName: Nullable(Str('Name of the buyer as printed. Null when the driver is unknown.', 'Ada')),
  paymentState: OneOf(
    paymentStates,
    'State of the payment. FREE: the price is zero. PAID: nothing is due. DUE: `due` remains to be paid. ' +
      'CREDITED: a credit note, or an invoice that one cancelled.',
  ),
  due: Decimal('Amount due, in the major unit of the currency.', 6.5),
});

/** Invoice as issued, for operators. */
export const OperatorInvoice = Named('OperatorInvoice', { ...summaryFields, ...documentFields });

export function operatorInvoiceItem(invoice: InvoiceWithPayments): Static<typeof OperatorInvoiceItem> {
  const { state, due } = majorPaymentStatus(invoice.paymentStatus, invoice.currency);
  return { ...summaryView(invoice), buyerName: invoice.buyerName, paymentState: state, due };
}

export function operatorInvoice(invoice: InvoiceReading): Static<typeof OperatorInvoice> {
  return { ...summaryView(invoice), ...documentView(invoice) };
}

function summaryView(invoice: InvoiceSummary) {
  const { uuid, creditsUuid, creditedByUuid } = invoice;
  return {
    id: uuid,
    ...invoiceItemView(invoice),
    creditsId: creditsUuid,
    creditedById: creditedByUuid,
  };
}
