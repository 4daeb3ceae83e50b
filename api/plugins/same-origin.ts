import type { FastifyRequest } from 'fastify';
import { DomainError } from '#shared/domain/kernel/errors.ts';

const safeMethods: readonly string[] = ['GET', 'HEAD', 'OPTIONS'];

/**
 * Stops a request with a session cookie that a page of another origin caused. Browsers state the relation in Sec-Fetch-Site
 * (Fetch Metadata); older ones, and all over plain http, send Origin with unsafe methods.
 * @throws {DomainError} CROSS_SITE_REQUEST.
 */
export function requireSameOrigin(request: FastifyRequest, publicUrl: string): void {
  const isOwn = isSameOrigin(request, publicUrl) ?? safeMethods.includes(request.method);
  if (!isOwn) throw crossSite();
}

/**
 * Stops a sign-in that a page of another origin caused: it would put the browser into the session of another user. Clients that
 * are no browsers state no origin and may sign in.
 * @throws {DomainError} CROSS_SITE_REQUEST.
 */
export function refuseOtherOrigins(request: FastifyRequest, publicUrl: string): void {
  if (isSameOrigin(request, publicUrl) === false) throw crossSite();
}

/** Returns whether a page of this origin, or the user directly, caused a request. Null: the request does not state it. */
function isSameOrigin(
  { method, headers, protocol, host }: FastifyRequest,
  publicUrl: string,
): boolean | null {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin' || (site === 'none' && safeMethods.includes(method));
  const { origin } = headers;
  if (origin === undefined) return null;
  return origin === `${protocol}://${host}` || origin === new URL(publicUrl).origin;
}

function crossSite(): DomainError {
  return new DomainError(
    'CROSS_SITE_REQUEST',
    'A session of a browser is accepted from pages of this origin only. Use an API key or an access token elsewhere.',
  );
}
