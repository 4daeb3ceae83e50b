import type { FastifyRequest } from 'fastify';
import type { Actor } from '#api/services/access/audit.ts';
import type { Authenticate } from '#api/services/access/authentication.ts';
import type { Caller, Credentials } from '#api/services/access/callers.ts';
import type { App } from './app-instance.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who calls; null on routes that ask for no credentials. */
    caller: Caller | null;
  }
  interface FastifyContextConfig {
    /** True: the route asks for no credentials, such as the login. */
    anonymous?: true;
  }
}

/**
 * Asks every request below `app`, unknown paths too, who sends it. It runs before the body is read and before anything is
 * validated, so an anonymous caller learns nothing.
 */
export function requireCaller(app: App, authenticate: Authenticate): void {
  app.addHook('onRequest', async (request) => {
    if (request.routeOptions.config.anonymous === true) return;
    request.caller = await authenticate(credentialsOf(request));
  });
}

function credentialsOf(request: FastifyRequest): Credentials {
  const sent = request.headers['x-api-key'];
  return {
    apiKey: typeof sent === 'string' ? sent : undefined,
    bearer: bearerOf(request),
    address: request.ip,
  };
}

/** The Bearer token of a request: RFC 6750 §2.1; the scheme's case does not count (RFC 9110 §11.1). */
export function bearerOf({ headers }: FastifyRequest): string | undefined {
  return /^bearer +([\w\-.~+/]+=*) *$/i.exec(headers.authorization ?? '')?.[1];
}

/** The caller of a route below `requireCaller`. */
export function callerOf(request: FastifyRequest): Caller {
  if (request.caller === null) throw new Error('this route asks for no credentials');
  return request.caller;
}

/** Who asks and from where, for what the audit log keeps. */
export function actorOf(request: FastifyRequest): Actor {
  return { caller: callerOf(request), ipAddress: request.ip, requestId: request.id };
}
