import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { actorOf } from '#api/plugins/auth.ts';
import { bodyErrors, cpmsErrors, openErrors } from '#api/plugins/openapi/error-schemas.ts';
import { DateTime, Named } from '#api/routes/schema.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import { changePassword, logIn, logOut, renew, type Session } from '#api/services/people/operator-login.ts';
import { Envelope, success } from '#api/routes/cpms/kernel/envelope.ts';
import { Email, Operator, operatorView, Password } from './operator-view.ts';

/** Password in a login. Earlier rules allowed shorter passwords than the current one. */
const SentPassword = Type.String({
  minLength: 1,
  maxLength: 128,
  description: 'Password of the account.',
  examples: ['correct horse battery staple'],
});

const Renewal = Type.Object(
  {
    refreshToken: Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'Refresh token from the latest login or refresh. Each is valid for one refresh.',
      examples: ['rt_5Jq0T8w2mXcVbN4k'],
    }),
  },
  { additionalProperties: false },
);

const Tokens = Named('OperatorTokens', {
  accessToken: Type.String({ description: 'Access token for the header `Authorization: Bearer`.' }),
  tokenType: Type.Literal('Bearer', { description: 'Always `Bearer`.' }),
  expiresIn: Type.Integer({ description: 'Lifetime of the access token in seconds.' }),
  refreshToken: Type.String({
    description: 'Refresh token, valid for one refresh. A second use ends the session.',
    examples: ['rt_5Jq0T8w2mXcVbN4k'],
  }),
  refreshExpiresAt: DateTime('Time at which the operator must log in again.'),
  operator: Operator,
});

/** Sends tokens that no cache stores (RFC 6749 §5.1). */
function tokens(reply: FastifyReply, { operator, refreshExpiresAt, ...session }: Session) {
  reply.header('cache-control', 'no-store');
  return success({
    ...session,
    tokenType: 'Bearer' as const,
    refreshExpiresAt: refreshExpiresAt.toISOString(),
    operator: operatorView(operator),
  });
}

/** Registers the routes of logins for operator accounts of this installation. */
export function authRoutes(app: App, deps: ApiDeps): void {
  const open = { config: { scope: null, anonymous: true as const } };

  app.route({
    method: 'POST',
    url: '/auth/login',
    ...open,
    schema: {
      tags: ['people'],
      operationId: 'logIn',
      summary: 'Log in as an operator',
      body: Type.Object({ email: Email, password: SentPassword }, { additionalProperties: false }),
      response: {
        200: Envelope(Tokens, 'Tokens of the new session.'),
        ...openErrors('LOGIN_FAILED', 'RATE_LIMITED', ...bodyErrors),
      },
    },
    handler: async (request, reply) => tokens(reply, await logIn(deps, request.body, request.ip)),
  });

  app.route({
    method: 'POST',
    url: '/auth/refresh',
    ...open,
    schema: {
      tags: ['people'],
      operationId: 'renewSession',
      summary: 'Refresh the tokens of a session',
      body: Renewal,
      response: {
        200: Envelope(Tokens, 'New tokens of the session.'),
        ...openErrors('TOKEN_INVALID', ...bodyErrors),
      },
    },
    handler: async (request, reply) =>
      tokens(reply, await renew(deps, request.body.refreshToken, request.ip)),
  });

  app.route({
    method: 'POST',
    url: '/auth/logout',
    ...open,
    schema: {
      tags: ['people'],
      operationId: 'logOut',
      summary: 'Log out: end the session of a refresh token',
      body: Renewal,
      response: {
        200: Envelope(
          Type.Object({ loggedOut: Type.Literal(true, { description: 'Always true.' }) }),
          'The session has ended, now or before.',
        ),
        ...openErrors(...bodyErrors),
      },
    },
    handler: async (request) => {
      await logOut(deps, request.body.refreshToken, request.ip);
      return success({ loggedOut: true as const });
    },
  });

  app.route({
    method: 'POST',
    url: '/auth/change-password',
    // No Idempotency-Key: passwords are not stored, not even as the response to a repeat.
    config: { scope: null, idempotent: false },
    schema: {
      tags: ['people'],
      operationId: 'changePassword',
      summary: "Change the caller's password and end the caller's other sessions",
      body: Type.Object(
        { currentPassword: SentPassword, newPassword: Password },
        { additionalProperties: false },
      ),
      response: {
        200: Envelope(
          Type.Object({ changed: Type.Literal(true, { description: 'Always true.' }) }),
          'The password is changed.',
        ),
        ...cpmsErrors('OPERATOR_EXTERNAL', ...bodyErrors),
      },
    },
    handler: async (request) => {
      await changePassword(deps, actorOf(request), request.body);
      return success({ changed: true as const });
    },
  });
}
