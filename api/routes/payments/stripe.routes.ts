import { Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { serviceErrors } from '#api/plugins/openapi/error-schemas.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import { processPaymentEvent } from '#api/services/money/top-ups.service.ts';

/** Registers the webhooks of payment providers. Their events are signed and carry no key. */
export function paymentRoutes(app: App, deps: ApiDeps): void {
  // The signature covers the bytes as sent.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => {
    done(null, body);
  });

  app.route({
    method: 'POST',
    url: '/stripe/webhook',
    schema: {
      tags: ['service'],
      operationId: 'takeStripeEvent',
      summary: 'Receive an event of Stripe',
      description:
        'Configure the webhook at Stripe for payment_intent.succeeded, payment_intent.canceled, refund.* and ' +
        'charge.dispute.*. Events are signed.',
      security: [],
      headers: Type.Object({
        'stripe-signature': Type.Optional(
          Type.String({ maxLength: 2000, description: 'Signature of the event, by Stripe.' }),
        ),
      }),
      response: {
        200: Type.Object(
          { received: Type.Literal(true, { description: 'Always true.' }) },
          { description: 'The event was processed.' },
        ),
        ...serviceErrors([
          'VALIDATION_FAILED',
          'SIGNATURE_INVALID',
          'PAYMENTS_DISABLED',
          'BODY_TIMEOUT',
          'BODY_TOO_LARGE',
          'UNSUPPORTED_MEDIA_TYPE',
          'INTERNAL_ERROR',
          'PAYMENT_PROVIDER_FAILED',
          'STORE_UNAVAILABLE',
          'OVERLOADED',
        ]),
      },
    },
    handler: async (request) => {
      const body = request.body instanceof Buffer ? request.body : Buffer.alloc(0);
      await processPaymentEvent(deps, 'stripe', body, request.headers['stripe-signature']);
      return { received: true as const };
    },
  });
}
