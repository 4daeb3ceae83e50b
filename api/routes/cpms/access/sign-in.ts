import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import { Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { openErrors } from '#api/plugins/openapi/error-schemas.ts';
import { refuseOtherOrigins } from '#api/plugins/same-origin.ts';
import { setSessionCookie } from '#api/plugins/session-cookie.ts';
import { Closed, Flag, Formed, Named, Nullable, Str } from '#api/routes/schema.ts';
import type { KeyDeps } from '#api/services/access/callers.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import {
  type Browser,
  signInWithFactor,
  signInWithKey,
  signInWithPassword,
  type SignedIn as NewSession,
} from '#api/services/people/browser-sign-in.ts';
import { Envelope, success } from '#api/routes/cpms/kernel/envelope.ts';
import { emailPattern } from '#shared/domain/people/email.ts';
import {
  challengeView,
  FactorAnswer,
  LoginChallenge,
} from '#api/routes/cpms/kernel/login-challenge.routes.ts';
import { SignedIn, signedInView } from './browser-session-view.ts';

const PasswordSignIn = Closed({
  email: Formed('an e-mail address', emailPattern, {
    maxLength: 254,
    description: 'E-mail address of the account.',
    examples: ['ada@example.org'],
  }),
  password: Str('Password of the account.', 'correct horse battery staple', {
    minLength: 1,
    maxLength: 128,
  }),
});

const KeySignIn = Closed({
  apiKey: Str('Operator key. It is exchanged for the session and not kept.', 'cw_cpms_5Jq0T8w2mXcVbN4k', {
    minLength: 1,
    maxLength: 200,
  }),
});

const SignInMethods = Named('SignInMethods', {
  password: Flag('True: sign in with e-mail address and password.'),
  apiKey: Flag('True: sign in with an operator key.'),
  oidc: Nullable(
    Type.Object(
      {
        name: Str('Name of the identity provider.', 'Example ID'),
        startUrl: Str(
          'Path that a browser opens to sign in. Parameter `returnTo`: path of the console to continue at. Errors lead to ' +
            '/console/sign-in, with their code in the parameter `error`.',
          '/cpms/v1/auth/oidc/start',
        ),
        consoleUrl: Str(
          'URL of the console at `PUBLIC_URL`. A browser must start the sign-in at the origin of this URL: the identity ' +
            'provider returns it there, and it keeps the cookie of the sign-in for one origin.',
          'https://csms.example.org/console',
        ),
      },
      { description: 'Sign-in with OpenID Connect. Null: not configured.' },
    ),
  ),
});

/** Maximum length of a stored User-Agent. */
const maxUserAgent = 256;

/** Returns the browser of a request that signs in. */
export function browserOf(request: FastifyRequest): Browser {
  return {
    ipAddress: request.ip,
    userAgent: request.headers['user-agent']?.slice(0, maxUserAgent) ?? null,
    requestId: request.id,
    earlierToken: request.sessionToken ?? undefined,
  };
}

/** Registers the routes that begin sessions of browsers. */
export function signInRoutes(app: App, deps: ApiDeps & KeyDeps): void {
  const { publicUrl } = deps.settings;
  const sameOrigin: onRequestHookHandler = (request, _reply, next) => {
    refuseOtherOrigins(request, publicUrl);
    next();
  };

  app.route({
    method: 'GET',
    url: '/auth/methods',
    config: { scope: null, anonymous: true },
    schema: {
      operationId: 'getSignInMethods',
      summary: 'Get the ways to sign in from a browser',
      description:
        'Password, API key and the configured identity provider. For sign-in pages; requires no credentials.',
      response: { 200: Envelope(SignInMethods, 'The ways to sign in.'), ...openErrors() },
    },
    handler: async () =>
      success({
        password: true,
        apiKey: true,
        oidc: deps.openIdSignIn && {
          name: deps.openIdSignIn.displayName,
          startUrl: '/cpms/v1/auth/oidc/start',
          consoleUrl: `${publicUrl}/console`,
        },
      }),
  });

  app.route({
    method: 'POST',
    url: '/auth/sessions',
    config: { scope: null, anonymous: true },
    onRequest: sameOrigin,
    schema: {
      operationId: 'signIn',
      summary: 'Sign in from a browser, as an operator or with an API key',
      description:
        'Sets the cookie of a session, which authenticates requests and streams of the same origin. Scripts cannot read ' +
        'it. The session ends after 12 hours without a request, after 30 days, or with the authority of its holder. A ' +
        'session of a key has exactly the rights and limits of the key. A session that the browser had before ends. An ' +
        'account with a second factor gets 202 and a challenge for `POST /auth/sessions/second-factor`.',
      body: Type.Union([PasswordSignIn, KeySignIn]),
      response: {
        201: Envelope(SignedIn, 'The session and its holder.'),
        202: Envelope(LoginChallenge, 'The password is right, and the account has a second factor.'),
        ...openErrors(
          'LOGIN_FAILED',
          'KEY_INVALID',
          'KEY_REVOKED',
          'KEY_EXPIRED',
          'API_FAMILY_MISMATCH',
          'ADDRESS_NOT_ALLOWED',
          'CROSS_SITE_REQUEST',
          'RATE_LIMITED',
        ),
      },
    },
    handler: async (request, reply) => {
      const { body } = request;
      const browser = browserOf(request);
      reply.header('cache-control', 'no-store');
      if ('apiKey' in body) return signedIn(reply, await signInWithKey(deps, body.apiKey, browser));
      const result = await signInWithPassword(deps, body, browser);
      if (result.kind === 'begun') return signedIn(reply, result.session);
      return reply.code(202).send(success(challengeView(result.challenge)));
    },
  });

  app.route({
    method: 'POST',
    url: '/auth/sessions/second-factor',
    config: { scope: null, anonymous: true },
    onRequest: sameOrigin,
    schema: {
      operationId: 'signInWithSecondFactor',
      summary: 'Complete a sign-in from a browser with a second factor',
      description:
        'Answers the challenge of `POST /auth/sessions` with a code, a recovery code or a passkey, and sets the cookie of ' +
        'the session. A challenge ends after 10 minutes and after 5 wrong answers. An account has 10 answers within 15 ' +
        'minutes (429).',
      body: FactorAnswer,
      response: {
        201: Envelope(SignedIn, 'The session and its holder.'),
        ...openErrors(
          'SECOND_FACTOR_FAILED',
          'LOGIN_CHALLENGE_INVALID',
          'CROSS_SITE_REQUEST',
          'RATE_LIMITED',
        ),
      },
    },
    handler: async (request, reply) => {
      reply.header('cache-control', 'no-store');
      return signedIn(reply, await signInWithFactor(deps, request.body, browserOf(request)));
    },
  });

  async function signedIn(reply: FastifyReply, { token, caller, session }: NewSession) {
    setSessionCookie(reply, publicUrl, { token, expiresAt: session.expiresAt });
    return reply.code(201).send(success(await signedInView(deps, caller, session)));
  }
}
