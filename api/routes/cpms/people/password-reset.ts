import { Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { openErrors } from '#api/plugins/openapi/error-schemas.ts';
import { Envelope, success } from '#api/routes/cpms/kernel/envelope.ts';
import { Closed, Str } from '#api/routes/schema.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import { requestPasswordReset, resetOperatorPassword } from '#api/services/people/operator-password-reset.ts';
import { Email, Password } from './operator-view.ts';

/** Registers the routes with which operators choose a new password by e-mail. */
export function passwordResetRoutes(app: App, deps: ApiDeps): void {
  const open = { config: { scope: null, anonymous: true as const } };

  app.route({
    method: 'POST',
    url: '/auth/forgot-password',
    ...open,
    schema: {
      operationId: 'forgotPassword',
      summary: 'Request an e-mail to choose a new password',
      description:
        'The response is the same whether or not the address has an account. The e-mail links to a page of the console ' +
        'with a token that expires after one hour. Requests are limited for each address (429). Disabled accounts and ' +
        'accounts of an identity provider receive none.',
      body: Closed({
        email: Email,
        language: Type.Optional(
          Str(
            'Language of the e-mail (BCP 47): `en`, `de`, `fr` or `nl`. Any other is English, the default.',
            'de',
            { pattern: '^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$', maxLength: 35 },
          ),
        ),
      }),
      response: {
        200: Envelope(
          Type.Object({ requested: Type.Literal(true, { description: 'Always true.' }) }),
          'An e-mail was sent if the address has an account.',
        ),
        ...openErrors('RATE_LIMITED'),
      },
    },
    handler: async (request) => {
      await requestPasswordReset(deps, request.body, request.ip);
      return success({ requested: true as const });
    },
  });

  app.route({
    method: 'POST',
    url: '/auth/reset-password',
    ...open,
    schema: {
      operationId: 'resetPassword',
      summary: 'Choose a new password with the token of an e-mail',
      description:
        'Ends all sessions of the account. A token is valid once; a change of the password or address invalidates it. ' +
        'API keys of the account stay valid.',
      body: Closed({
        token: Str(
          'Token of the e-mail that `POST /auth/forgot-password` sends.',
          'h3fV0mQ2uJ8bZ1rXw7dKc5nYt9LsPa6eGi4oBvRq0Mk',
          { minLength: 1, maxLength: 200 },
        ),
        password: Password,
      }),
      response: {
        200: Envelope(
          Type.Object({ changed: Type.Literal(true, { description: 'Always true.' }) }),
          'The password is changed.',
        ),
        ...openErrors('MAIL_TOKEN_INVALID', 'RATE_LIMITED'),
      },
    },
    handler: async (request) => {
      await resetOperatorPassword(deps, request.body, request.ip);
      return success({ changed: true as const });
    },
  });
}
