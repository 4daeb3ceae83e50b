import { Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { actorOf, callerOf } from '#api/plugins/auth.ts';
import { problems } from '#api/plugins/openapi/error-schemas.ts';
import { operation } from '#api/routes/operation.ts';
import { Closed, Lines, pageOf, pageQuery, Text, Uuid } from '#api/routes/schema.ts';
import { userFields } from '#api/routes/user-view.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import {
  creditInvoice,
  issueInvoice,
  listCallerInvoices,
  readInvoice,
  renderInvoice,
} from '#api/services/money/invoices.service.ts';
import { Invoice, InvoiceItem, invoiceItemView, invoiceView } from './invoice-view.ts';
import { List, listPage } from '#api/routes/emsp/kernel/lists.ts';
import { pdfAnswer, sendPdf } from '#api/routes/emsp/kernel/pdf.ts';

const maxTransactions = 500;
const whoSees = 'Driver keys see their own invoices, operator keys the invoices of their networks.';

const NewInvoice = Type.Object(
  {
    transactionIds: Type.Array(Uuid(), {
      minItems: 1,
      maxItems: maxTransactions,
      uniqueItems: true,
      description:
        'Completed sessions of one driver (one token when the driver is unknown), one network and one currency.',
    }),
    buyer: Type.Optional(
      Type.Object(
        {
          name: Text(200, 'Name of the buyer.', 'Harbour Charging'),
          email: Type.Optional(
            Type.Unsafe<string>({ ...userFields.email, description: 'E-mail address of the buyer.' }),
          ),
          postalAddress: Type.Optional(
            Lines(500, 'Postal address of the buyer, separated by line breaks.', 'Quay 1'),
          ),
          vatNumber: Type.Optional(Text(32, 'VAT identification number of the buyer.', 'NL123456789B01')),
        },
        { additionalProperties: false, description: 'Buyer to print. Default: the driver.' },
      ),
    ),
  },
  { title: 'GenerateInvoiceRequest', additionalProperties: false },
);

const CreditRequest = Closed({
  reason: Text(500, 'Reason of the credit note, printed on it.', 'Paid at the desk'),
});

const params = Type.Object({
  invoiceNumber: Text(20, 'Invoice number, YYYY-000001.', '2026-000042'),
});
const querystring = Type.Object({
  networkId: Type.Optional(
    Uuid(
      'Network of the invoice. Required when several networks of the key have an invoice with this number.',
    ),
  ),
});
const notThere = ['INVOICE_NOT_FOUND', 'INVOICE_AMBIGUOUS', 'NETWORK_NOT_FOUND'] as const;

/** Registers the routes of invoices and credit notes. */
export function invoiceRoutes(app: App, deps: ApiDeps): void {
  operation(app, 'POST /invoices', 'emsp:billing', {
    operationId: 'generateInvoice',
    summary: 'Create an invoice for one or more transactions',
    description:
      'Driver keys invoice their own transactions, operator keys the transactions of their networks: all given ones, or ' +
      'none. The invoice never changes. To amend a session of an invoice, credit the invoice first.',
    body: NewInvoice,
    response: {
      201: Invoice,
      ...problems(
        'Invoice',
        'TRANSACTION_NOT_FOUND',
        'SESSION_INVOICED',
        'SESSION_NOT_COMPLETED',
        'SESSION_NOT_PRICED',
        'PRICE_IN_REVIEW',
        'SESSION_NOT_FINAL',
        'SELLER_INCOMPLETE',
      ),
    },
    handler: async (request, reply) =>
      reply.code(201).send(invoiceView(await issueInvoice(deps, actorOf(request), request.body))),
  });

  operation(app, 'GET /invoices', 'emsp:read', {
    operationId: 'listInvoices',
    summary: 'List invoices and credit notes',
    description: whoSees,
    querystring: Type.Object(pageQuery),
    response: { 200: List(InvoiceItem, 'One page of invoices, newest first.'), ...problems('Invoice') },
    handler: async (request) => {
      const page = pageOf(request.query);
      const { rows, total } = await listCallerInvoices(deps, callerOf(request), page);
      return listPage(rows.map(invoiceItemView), page, total);
    },
  });

  operation(app, 'GET /invoices/:invoiceNumber', 'emsp:read', {
    operationId: 'getInvoice',
    summary: 'Get an invoice with its line items and totals',
    description: whoSees,
    params,
    querystring,
    response: { 200: Invoice, ...problems('Invoice', ...notThere) },
    handler: async (request) => invoiceView(await readInvoice(deps, callerOf(request), nameOf(request))),
  });

  operation(app, 'GET /invoices/:invoiceNumber/pdf', 'emsp:read', {
    operationId: 'getInvoicePdf',
    summary: 'Download an invoice as a PDF',
    description: `${whoSees} The PDF is in the language of the driver, otherwise of the network.`,
    params,
    querystring,
    response: { 200: pdfAnswer('The invoice.'), ...problems('Invoice', ...notThere, 'RENDERER_BUSY') },
    handler: async (request, reply) => {
      const { pdf, number } = await renderInvoice(deps, callerOf(request), nameOf(request));
      return sendPdf(reply, pdf, number) as never;
    },
  });

  operation(app, 'POST /invoices/:invoiceNumber/credit', 'emsp:billing', {
    operationId: 'creditInvoice',
    summary: 'Credit an invoice (operator keys)',
    description:
      'The invoice is kept, and a credit note with the next number cancels it as a whole. Its transactions can ' +
      'be amended and invoiced again.',
    params,
    querystring,
    body: CreditRequest,
    response: {
      201: Invoice,
      ...problems('Invoice', 'OPERATOR_KEY_REQUIRED', ...notThere, 'INVOICE_NOT_CREDITABLE'),
    },
    handler: async (request, reply) => {
      const { reason } = request.body;
      const note = await creditInvoice(deps, actorOf(request), nameOf(request), reason);
      return reply.code(201).send(invoiceView(note));
    },
  });
}

function nameOf(request: { params: { invoiceNumber: string }; query: { networkId?: string } }) {
  return { number: request.params.invoiceNumber, networkUuid: request.query.networkId };
}
