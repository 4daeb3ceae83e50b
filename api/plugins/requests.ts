import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { App } from './app-instance.ts';

/** What a request id may look like when it comes from outside: it is logged and sent back. */
export const saneId = /^[\w.:-]{1,128}$/;

/** The id that the caller gave its request, else a new one. */
export function requestId({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const sent = headers['x-request-id'];
  return typeof sent === 'string' && saneId.test(sent) ? sent : randomUUID();
}

/** Answers each request with its id and logs it when it is done: the route's pattern, never the query or a body. */
export function logRequests(app: App): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
  });
  app.addHook('onResponse', async (request, reply) => {
    request.log.info(
      {
        method: request.method,
        route: request.routeOptions.url ?? null,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        // Which key or operator: by its kind and internal id.
        caller: request.caller && `${request.caller.who.kind}:${request.caller.who.id}`,
      },
      'request',
    );
  });
}
