import { Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { callerOf } from '#api/plugins/auth.ts';
import { framedPolicy } from '#api/plugins/security-headers.ts';
import { cpmsErrors } from '#api/plugins/openapi/error-schemas.ts';
import { pdfAnswer, sendPdf } from '#api/routes/emsp/kernel/pdf.ts';
import { operation } from '#api/routes/operation.ts';
import { OneOf, idParams } from '#api/routes/schema.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import { documentLanguages } from '#api/services/money/document-language.ts';
import { renderReceipt } from '#api/services/money/receipts.service.ts';

/** Registers the route of receipts for operators. */
export function operatorReceiptRoutes(app: App, deps: ApiDeps): void {
  operation(app, 'GET /sessions/:uuid/receipt', 'cpms:read:sessions', {
    operationId: 'getOperatorReceipt',
    summary: 'Get the receipt of a completed session as a PDF',
    description:
      'The receipt that the driver gets, with the same number, for display in the browser. The first request of a ' +
      'session, or of its corrected version, issues the number. `preview=true` issues none.',
    params: idParams('Session'),
    querystring: Type.Object({
      language: Type.Optional(
        OneOf(
          documentLanguages,
          'Language of the receipt. Default: the language of the driver, otherwise of the network.',
        ),
      ),
      preview: Type.Optional(
        Type.Boolean({
          default: false,
          description:
            'True: the receipt as it would be issued now, without a number and marked as a preview on each page. No number is used.',
        }),
      ),
    }),
    response: {
      200: pdfAnswer('The receipt.'),
      ...cpmsErrors(
        'SESSION_NOT_FOUND',
        'SESSION_NOT_COMPLETED',
        'SESSION_NOT_PRICED',
        'PRICE_IN_REVIEW',
        'RENDERER_BUSY',
      ),
    },
    handler: async (request, reply) => {
      const { uuid } = request.params;
      const { language, preview: isPreview } = request.query;
      const pdf = await renderReceipt(deps, callerOf(request), uuid, { language, isPreview });
      // The console shows it in its page.
      reply.header('content-security-policy', framedPolicy);
      return sendPdf(reply, pdf, `receipt-${uuid.toLowerCase()}`) as never;
    },
  });
}
