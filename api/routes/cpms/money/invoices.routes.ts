import { Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { callerOf } from '#api/plugins/auth.ts';
import { cpmsErrors } from '#api/plugins/openapi/error-schemas.ts';
import { framedPolicy } from '#api/plugins/security-headers.ts';
import { CursorEnvelope, Envelope, success, successSlice } from '#api/routes/cpms/kernel/envelope.ts';
import { networkOf, networkQuery } from '#api/routes/cpms/kernel/network-query.ts';
import { pdfAnswer, sendPdf } from '#api/routes/emsp/kernel/pdf.ts';
import { operation } from '#api/routes/operation.ts';
import {
  cursorOf,
  cursorQuery,
  DateTime,
  OneOf,
  periodOf,
  Text,
  Uuid,
  idParams,
} from '#api/routes/schema.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import { listOperatorInvoices } from '#api/services/money/invoice-list.service.ts';
import { invoiceKinds, readInvoice, renderInvoice } from '#api/services/money/invoices.service.ts';
import { paymentStates } from '#api/services/money/payment-status.ts';
import {
  OperatorInvoice,
  operatorInvoice,
  operatorInvoiceItem,
  OperatorInvoiceItem,
} from './invoice-view.ts';

const params = idParams('Invoice');

const listQuery = Type.Object({
  ...networkQuery,
  ...cursorQuery,
  userId: Type.Optional(Uuid('Driver to filter by.')),
  kind: Type.Optional(OneOf(invoiceKinds, 'Kind of document to filter by.')),
  paymentState: Type.Optional(
    OneOf(
      paymentStates,
      'State of the payment to filter by. DUE, PAID and FREE follow from the wallets and are read, not indexed: ' +
        'a page can hold fewer invoices than `pageSize`, or none, while `nextCursor` continues the list.',
    ),
  ),
  search: Type.Optional(Text(20, 'Part of the invoice number to search for.', '000042')),
  from: Type.Optional(DateTime('Earliest time of issue, inclusive.')),
  to: Type.Optional(DateTime('Latest time of issue, inclusive.')),
});

/** Registers the routes of invoices for operators. */
export function operatorInvoiceRoutes(app: App, deps: ApiDeps): void {
  operation(app, 'GET /invoices', 'cpms:read:invoices', {
    operationId: 'listOperatorInvoices',
    summary: 'List invoices and credit notes, newest first',
    description:
      'Amounts are in the major unit of the currency. `search` matches an invoice number. `from` and `to` ' +
      'limit the time of issue.',
    querystring: listQuery,
    response: {
      200: CursorEnvelope(OperatorInvoiceItem, 'One page of invoices.'),
      ...cpmsErrors('NETWORK_NOT_FOUND'),
    },
    handler: async (request) => {
      const { userId, kind, paymentState, search } = request.query;
      const query = {
        networkUuid: networkOf(request.query),
        userUuid: userId,
        kind,
        paymentState,
        search,
        ...periodOf(request.query),
      };
      const page = await listOperatorInvoices(deps, callerOf(request), query, cursorOf(request.query));
      return successSlice(page.rows.map(operatorInvoiceItem), page.nextCursor);
    },
  });

  operation(app, 'GET /invoices/:uuid', 'cpms:read:invoices', {
    operationId: 'getOperatorInvoice',
    summary: 'Get an invoice with its sessions, totals and payments',
    description:
      'The invoice as issued: later changes of the network, the driver or the charger do not change it. Its ' +
      'payments are those so far. Invoices are issued and credited through `/emsp/v1/invoices`.',
    params,
    response: { 200: Envelope(OperatorInvoice, 'The invoice.'), ...cpmsErrors('INVOICE_NOT_FOUND') },
    handler: async (request) =>
      success(operatorInvoice(await readInvoice(deps, callerOf(request), request.params))),
  });

  operation(app, 'GET /invoices/:uuid/pdf', 'cpms:read:invoices', {
    operationId: 'getOperatorInvoicePdf',
    summary: 'Get an invoice as a PDF',
    description: 'The PDF that the driver gets, in the language of the driver, otherwise of the network.',
    params,
    response: {
      200: pdfAnswer('The invoice.'),
      ...cpmsErrors('INVOICE_NOT_FOUND', 'RENDERER_BUSY'),
    },
    handler: async (request, reply) => {
      const { pdf, number } = await renderInvoice(deps, callerOf(request), request.params);
      // The console shows it in its page.
      reply.header('content-security-policy', framedPolicy);
      return sendPdf(reply, pdf, number) as never;
    },
  });
}
