import type { FastifyRequest } from 'fastify';
import type { Actor } from '#api/services/access/audit.ts';
import { type Authenticate, isOfSession } from '#api/services/access/authentication.ts';
import type { Caller, Credentials } from '#api/services/access/callers.ts';
import type { App } from './app-instance.ts';
import { requireSameOrigin } from './same-origin.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Caller of the request. Null on routes without credentials. */
    caller: Caller | null;
  }
  interface FastifyContextConfig {
    /** True: the route requires no credentials, such as the login. */
    anonymous?: true;
    /** True: operators that must enrol a second factor first may use the route. */
    enrols?: true;
  }
}

/**
 * Requires credentials for every request below `app`, unknown paths included. It runs before the body is read and
 * validated, so an anonymous caller learns nothing.
 */
export function requireCaller(app: App, authenticate: Authenticate, publicUrl: string): void {
  app.addHook('onRequest', async (request, reply) => {
    if (request.routeOptions.config.anonymous === true) return;
    const sent = credentialsOf(request);
    if (isOfSession(sent)) {
      requireSameOrigin(request, publicUrl);
      // A shared cache may store responses to cookies, unlike those to Authorization (RFC 9111 §3.5).
      reply.header('cache-control', 'no-store');
    }
    request.caller = await authenticate(sent, request.routeOptions.config.enrols);
  });
}

/** Returns the credentials that a request sent. */
export function credentialsOf(request: FastifyRequest): Credentials {
  const sent = request.headers['x-api-key'];
  return {
    apiKey: typeof sent === 'string' ? sent : undefined,
    bearer: bearerOf(request),
    sessionToken: request.sessionToken ?? undefined,
    address: request.ip,
  };
}

/** Returns the Bearer token of a request (RFC 6750 §2.1). The case of the scheme is ignored (RFC 9110 §11.1). */
export function bearerOf({ headers }: FastifyRequest): string | undefined {
  return /^bearer +([\w\-.~+/]+=*) *$/i.exec(headers.authorization ?? '')?.[1];
}

/** Returns the caller of a route below `requireCaller`. */
export function callerOf(request: FastifyRequest): Caller {
  if (request.caller === null) throw new Error('the route requires no credentials');
  return request.caller;
}

/** Returns the caller and its address, for the audit log. */
export function actorOf(request: FastifyRequest): Actor {
  const { ip: ipAddress, id: requestId, idempotencyClaim: claim } = request;
  return { caller: callerOf(request), ipAddress, requestId, claim };
}
