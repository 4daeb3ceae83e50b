import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Logger } from '#shared/log/log.ts';
import type { App } from './app-instance.ts';

/** Form of a request id from outside, which is logged and returned. */
export const saneId = /^[\w.:-]{1,128}$/;

/** Returns the request id of the caller, otherwise a new one. */
export function requestId({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const sent = headers['x-request-id'];
  return typeof sent === 'string' && saneId.test(sent) ? sent : randomUUID();
}

/**
 * Adds its id to the response of each request, and logs the request when it is done: the pattern of the route, never
 * the query or a body.
 */
export function logRequests(app: App, log: Logger): void {
  app.addHook('onRequest', (request, reply, next) => {
    reply.header('x-request-id', request.id);
    next();
  });
  app.addHook('onResponse', (request, reply, next) => {
    next();
    if (!log.isLevelEnabled('info')) return;
    request.log.info(
      {
        method: request.method,
        route: request.routeOptions.url ?? null,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        // Kind and internal id of the key or operator.
        caller: request.caller && `${request.caller.who.kind}:${request.caller.who.id}`,
      },
      'request',
    );
  });
}
