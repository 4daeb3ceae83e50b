import type { App } from '#api/plugins/app-instance.ts';
import { callerOf } from '#api/plugins/auth.ts';
import { problems } from '#api/plugins/openapi/error-schemas.ts';
import { operation } from '#api/routes/operation.ts';
import { idParams } from '#api/routes/schema.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import { renderReceipt } from '#api/services/money/receipts.service.ts';
import { pdfAnswer, sendPdf } from '#api/routes/emsp/kernel/pdf.ts';

/** Registers the route of receipts. */
export function receiptRoutes(app: App, deps: ApiDeps): void {
  operation(app, 'GET /charging/sessions/:id/receipt', 'emsp:read', {
    operationId: 'getReceipt',
    summary: 'Download the receipt of a completed session as a PDF',
    description:
      'Driver keys receive the receipts of their own sessions, operator keys the receipts of their networks. The PDF is in ' +
      'the language of the driver, otherwise of the network, and in the time zone of the location. The transaction of ' +
      'the session has the same amounts as JSON.',
    params: idParams('Session', 'id'),
    response: {
      200: pdfAnswer('The receipt.'),
      ...problems(
        'Session',
        'SESSION_NOT_FOUND',
        'SESSION_NOT_COMPLETED',
        'SESSION_NOT_PRICED',
        'PRICE_IN_REVIEW',
        'RENDERER_BUSY',
      ),
    },
    handler: async (request, reply) => {
      const { id } = request.params;
      const pdf = await renderReceipt(deps, callerOf(request), id);
      return sendPdf(reply, pdf, `receipt-${id.toLowerCase()}`) as never;
    },
  });
}
