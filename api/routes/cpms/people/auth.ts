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

/** What was once chosen may be shorter than what may be chosen now. */
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
  accessToken: Type.String({ description: 'For the header Authorization: Bearer …' }),
  tokenType: Type.Literal('Bearer', { description: 'Always `Bearer`.' }),
  expiresIn: Type.Integer({ description: 'Seconds that the access token is good for' }),
  refreshToken: Type.String({
    description: 'Renews the session once; used twice, it ends it',
    examples: ['rt_5Jq0T8w2mXcVbN4k'],
  }),
  refreshExpiresAt: DateTime('When the operator must log in again'),
  operator: Operator,
});

/** RFC 6749 §5.1: nobody on the way keeps tokens. */
function tokens(reply: FastifyReply, { operator, refreshExpiresAt, ...session }: Session) {
  reply.header('cache-control', 'no-store');
  return success({
    ...session,
    tokenType: 'Bearer' as const,
    refreshExpiresAt: refreshExpiresAt.toISOString(),
    operator: operatorView(operator),
  });
}

/** The login of operators whose accounts are kept here. */
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
        200: Envelope(Tokens, 'The session has begun'),
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
      summary: 'Renew a session by its refresh token, for a new one of each',
      body: Renewal,
      response: {
        200: Envelope(Tokens, 'The session goes on'),
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
      summary: 'End the session of a refresh token, and its access tokens with it',
      body: Renewal,
      response: {
        200: Envelope(
          Type.Object({ loggedOut: Type.Literal(true, { description: 'Always true.' }) }),
          'There is no such session any more',
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
    // Passwords are kept nowhere, not even as what a repeat is told by.
    config: { scope: null, idempotent: false },
    schema: {
      tags: ['people'],
      operationId: 'changePassword',
      summary: "Change the calling operator's password, and end the operator's other sessions",
      body: Type.Object(
        { currentPassword: SentPassword, newPassword: Password },
        { additionalProperties: false },
      ),
      response: {
        200: Envelope(
          Type.Object({ changed: Type.Literal(true, { description: 'Always true.' }) }),
          'The password is changed',
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
