import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { actorOf } from '#api/plugins/auth.ts';
import { cpmsErrors, openErrors } from '#api/plugins/openapi/error-schemas.ts';
import { Closed, DateTime, Integer, Named, Str } from '#api/routes/schema.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import {
  changePassword,
  logIn,
  logInWithFactor,
  logOut,
  renew,
  type Session,
} from '#api/services/people/operator-login.ts';
import { Envelope, success } from '#api/routes/cpms/kernel/envelope.ts';
import { Email, Operator, operatorView, Password, SentPassword } from './operator-view.ts';
import {
  challengeView,
  FactorAnswer,
  LoginChallenge,
} from '#api/routes/cpms/kernel/login-challenge.routes.ts';

const Renewal = Closed({
  refreshToken: Str(
    'Refresh token from the latest login or refresh. Each is valid for one refresh.',
    'rt_5Jq0T8w2mXcVbN4k',
    { minLength: 1, maxLength: 200 },
  ),
});

const Tokens = Named('OperatorTokens', {
  accessToken: Str('Access token for the header `Authorization: Bearer`.'),
  tokenType: Type.Literal('Bearer', { description: 'Always `Bearer`.' }),
  expiresIn: Integer('Lifetime of the access token in seconds.'),
  refreshToken: Str(
    'Refresh token, valid for one refresh. A second use ends the session.',
    'rt_5Jq0T8w2mXcVbN4k',
  ),
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
      operationId: 'logIn',
      summary: 'Log in as an operator',
      description:
        'Returns an access token for `Authorization: Bearer` and a refresh token. A wrong password, an unknown ' +
        'address and a disabled account get the same error. Attempts are limited for each address and account ' +
        '(429). An account with a second factor gets 202 and a challenge for `POST /auth/login/second-factor`. For browsers, ' +
        '`POST /auth/sessions` sets a cookie instead.',
      body: Closed({ email: Email, password: SentPassword }),
      response: {
        200: Envelope(Tokens, 'Tokens of the new session.'),
        202: Envelope(LoginChallenge, 'The password is right, and the account has a second factor.'),
        ...openErrors('LOGIN_FAILED', 'RATE_LIMITED'),
      },
    },
    handler: async (request, reply) => {
      const result = await logIn(deps, request.body, request.ip);
      if (result.kind === 'begun') return tokens(reply, result.session);
      reply.header('cache-control', 'no-store');
      return reply.code(202).send(success(challengeView(result.challenge)));
    },
  });

  app.route({
    method: 'POST',
    url: '/auth/login/second-factor',
    ...open,
    schema: {
      operationId: 'logInWithSecondFactor',
      summary: 'Complete a log-in with a second factor',
      description:
        'Answers the challenge of `POST /auth/login` with a code, a recovery code or a passkey. A challenge ends after 10 ' +
        'minutes and after 5 wrong answers. An account has 10 answers within 15 minutes (429).',
      body: FactorAnswer,
      response: {
        200: Envelope(Tokens, 'Tokens of the new session.'),
        ...openErrors('SECOND_FACTOR_FAILED', 'LOGIN_CHALLENGE_INVALID', 'RATE_LIMITED'),
      },
    },
    handler: async (request, reply) => tokens(reply, await logInWithFactor(deps, request.body, request.ip)),
  });

  app.route({
    method: 'POST',
    url: '/auth/refresh',
    ...open,
    schema: {
      operationId: 'renewSession',
      summary: 'Refresh the tokens of a session',
      description:
        'Returns a new access token and a new refresh token; the used one becomes invalid. A second use of a ' +
        'refresh token ends its session, since the token was copied. Send one refresh at a time.',
      body: Renewal,
      response: {
        200: Envelope(Tokens, 'New tokens of the session.'),
        ...openErrors('TOKEN_INVALID'),
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
      operationId: 'logOut',
      summary: 'Log out: end the session of a refresh token',
      description:
        'Ends the session of the refresh token; its access tokens are refused from the next request on. An ' +
        'unknown token gets the same response.',
      body: Renewal,
      response: {
        200: Envelope(
          Type.Object({ loggedOut: Type.Literal(true, { description: 'Always true.' }) }),
          'The session has ended, now or before.',
        ),
        ...openErrors(),
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
      operationId: 'changePassword',
      summary: "Change the caller's password and end the caller's other sessions",
      description:
        'For operators with a password: a key gets 403, an account of an identity provider 409. All other ' +
        'sessions of the operator end.',
      body: Closed({ currentPassword: SentPassword, newPassword: Password }),
      response: {
        200: Envelope(
          Type.Object({ changed: Type.Literal(true, { description: 'Always true.' }) }),
          'The password is changed.',
        ),
        ...cpmsErrors('OPERATOR_EXTERNAL'),
      },
    },
    handler: async (request) => {
      await changePassword(deps, actorOf(request), request.body);
      return success({ changed: true as const });
    },
  });
}
