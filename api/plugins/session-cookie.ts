import cookie from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { App } from './app-instance.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Token in the cookie of a browser's session. Null: none, and below other paths than /cpms/v1. */
    sessionToken: string | null;
  }
}

const sessionCookie = 'chargeway-session';
const attemptCookie = 'chargeway-oidc';

/**
 * Name of the session cookie over https, for the OpenAPI document. Browsers accept a name with this prefix only from the host
 * itself, over https and for all paths, so no other host of the domain can plant a session (RFC 6265bis §4.1.3.2).
 */
export const secureSessionCookie = `__Host-${sessionCookie}`;

/** Time in seconds for a sign-in at the external issuer. */
const attemptSeconds = 600;

/** Returns true for a request with the cookie of a session, which may be invalid. */
export function hasSessionCookie({ headers }: FastifyRequest): boolean {
  return headers.cookie?.includes(`${sessionCookie}=`) === true;
}

/** Reads the session cookie of requests below `app`. */
export async function readSessionCookie(app: App, publicUrl: string): Promise<void> {
  await app.register(cookie);
  app.addHook('onRequest', (request, _reply, next) => {
    request.sessionToken = request.cookies[nameOf(sessionCookie, isSecure(request, publicUrl))] ?? null;
    next();
  });
}

/** Gives the browser the token of a session. */
export function setSessionCookie(
  reply: FastifyReply,
  publicUrl: string,
  { token, expiresAt }: { token: string; expiresAt: Date },
): void {
  const secure = isSecure(reply.request, publicUrl);
  reply.setCookie(nameOf(sessionCookie, secure), token, {
    ...commonOptions,
    secure,
    sameSite: 'strict',
    expires: expiresAt,
  });
}

/** Removes the token of a session from the browser. */
export function clearSessionCookie(reply: FastifyReply, publicUrl: string): void {
  const secure = isSecure(reply.request, publicUrl);
  reply.clearCookie(nameOf(sessionCookie, secure), { ...commonOptions, secure, sameSite: 'strict' });
}

/**
 * Gives the browser the values of a sign-in at the external issuer. It returns from another site, by a link, which `Lax` admits.
 */
export function setAttemptCookie(
  reply: FastifyReply,
  publicUrl: string,
  values: Record<string, string>,
): void {
  const secure = isSecure(reply.request, publicUrl);
  reply.setCookie(nameOf(attemptCookie, secure), new URLSearchParams(values).toString(), {
    ...commonOptions,
    secure,
    sameSite: 'lax',
    maxAge: attemptSeconds,
  });
}

/** Returns the values of the sign-in in progress, each of which may be missing, and removes them from the browser. */
export function takeAttemptCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  publicUrl: string,
): URLSearchParams {
  const secure = isSecure(request, publicUrl);
  const name = nameOf(attemptCookie, secure);
  reply.clearCookie(name, { ...commonOptions, secure, sameSite: 'lax' });
  return new URLSearchParams(request.cookies[name] ?? '');
}

/** All paths: the prefix requires it, and a proxy may serve the API below a path of its own. */
const commonOptions = { path: '/', httpOnly: true } as const;

function nameOf(name: string, secure: boolean): string {
  return secure ? `__Host-${name}` : name;
}

/** Returns true when the browser uses https. Plain http serves this machine and closed networks. */
function isSecure({ protocol }: FastifyRequest, publicUrl: string): boolean {
  return protocol === 'https' || publicUrl.startsWith('https:');
}
