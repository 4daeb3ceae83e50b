import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { toDomainError } from '#api/plugins/errors.ts';
import { setAttemptCookie, setSessionCookie, takeAttemptCookie } from '#api/plugins/session-cookie.ts';
import type { OpenIdSignIn } from '#api/services/access/openid-sign-in.service.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import { signInWithIssuer } from '#api/services/people/browser-sign-in.ts';
import { DomainError } from '#shared/domain/kernel/errors.ts';
import { browserOf } from './sign-in.ts';

/**
 * Registers the sign-in at the external issuer, by the authorization code flow. Browsers open both routes as pages: they answer
 * only with redirections and are no operations of the OpenAPI document. Errors lead to the sign-in page of the console.
 */
export function openIdSignInRoutes(app: App, deps: ApiDeps): void {
  const { publicUrl } = deps.settings;
  const open = { scope: null, anonymous: true } as const;

  /** Sends the browser to the sign-in page with the code of an error. */
  const toSignInPage = (error: FastifyError, request: FastifyRequest, reply: FastifyReply): void => {
    const { code } = toDomainError(error);
    request.log.warn({ code, reason: reasonOf(error) }, 'a sign-in at the external issuer failed');
    void redirect(reply, `${consolePath(publicUrl)}/sign-in?error=${code}`);
  };

  app.route({
    method: 'GET',
    url: '/auth/oidc/start',
    config: open,
    errorHandler: toSignInPage,
    schema: {
      hide: true,
      querystring: Type.Object({ returnTo: Type.Optional(Type.String({ maxLength: 1000 })) }),
    },
    handler: async (request, reply) => {
      const { url, attempt } = await requireOpenId(deps).begin();
      setAttemptCookie(reply, publicUrl, {
        ...attempt,
        returnTo: returnPath(request.query.returnTo, publicUrl),
      });
      return redirect(reply, url);
    },
  });

  app.route({
    method: 'GET',
    url: '/auth/oidc/callback',
    config: open,
    errorHandler: toSignInPage,
    // The issuer writes this query; `OpenIdSignIn` verifies it.
    schema: { hide: true, querystring: Type.Object({}, { additionalProperties: true }) },
    handler: async (request, reply) => {
      const openId = requireOpenId(deps);
      const kept = takeAttemptCookie(request, reply, publicUrl);
      const { token, session } = await signInWithIssuer(
        deps,
        openId,
        { query: new URL(request.url, publicUrl).search, attempt: attemptOf(kept) },
        browserOf(request),
      );
      setSessionCookie(reply, publicUrl, { token, expiresAt: session.expiresAt });
      return redirect(reply, returnPath(kept.get('returnTo'), publicUrl));
    },
  });
}

/** @throws {DomainError} OIDC_DISABLED. */
function requireOpenId({ openIdSignIn }: ApiDeps): OpenIdSignIn {
  if (openIdSignIn !== null) return openIdSignIn;
  throw new DomainError('OIDC_DISABLED', 'This installation offers no sign-in with OpenID Connect.');
}

/** @throws {DomainError} LOGIN_FAILED when the browser kept no sign-in: it took too long, or began elsewhere. */
function attemptOf(kept: URLSearchParams) {
  const [state, nonce, verifier] = [kept.get('state'), kept.get('nonce'), kept.get('verifier')];
  if (state !== null && nonce !== null && verifier !== null) return { state, nonce, verifier };
  throw new DomainError('LOGIN_FAILED', 'No sign-in of this browser is in progress: begin it again.');
}

function redirect(reply: FastifyReply, address: string): FastifyReply {
  return reply.header('cache-control', 'no-store').redirect(address, 302);
}

/** Returns the reason of a failure for the log. It names what was wrong, and no token or code. */
function reasonOf(error: Error): string {
  const { cause } = error;
  if (!(cause instanceof Error)) return error.message;
  // Error code of the issuer (RFC 6749 §4.1.2.1), which is text from outside.
  const code = 'error' in cause && typeof cause.error === 'string' ? `${cause.error.slice(0, 100)}: ` : '';
  return `${code}${cause.message}`;
}

/** Path of the console below the path of the public URL. */
function consolePath(publicUrl: string): string {
  return `${new URL(publicUrl).pathname.replace(/\/$/, '')}/console`;
}

/**
 * Returns the page of the console that a sign-in returns to: `sent` when it is a path of the console, else the console's first
 * page. It is read as a browser reads it, because `/\host` and `/.//host` are other hosts there.
 */
function returnPath(sent: string | null | undefined, publicUrl: string): string {
  const root = consolePath(publicUrl);
  const base = new URL(publicUrl);
  if (sent === null || sent === undefined || !URL.canParse(sent, base.href)) return root;
  const { origin, pathname, search, hash } = new URL(sent, base);
  const isBelow = pathname === root || pathname.startsWith(`${root}/`);
  return origin === base.origin && isBelow ? `${pathname}${search}${hash}` : root;
}
