import { randomUUID } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ApiDeps } from '#api/services/deps.ts';
import type { App } from './app-instance.ts';
import { saneId } from './requests.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Response body, for the exchange log. */
    ocpiResponse: string;
  }
}

/** Routing headers of a request, with the response headers of the other side (OCPI 2.2.1 §4.1.4.1). */
const turned = [
  ['ocpi-from-country-code', 'ocpi-to-country-code'],
  ['ocpi-from-party-id', 'ocpi-to-party-id'],
  ['ocpi-to-country-code', 'ocpi-from-country-code'],
  ['ocpi-to-party-id', 'ocpi-from-party-id'],
] as const;

/**
 * Adds the correlation id and routing headers of its request to every response below `app`, errors included, and logs
 * each exchange with a known partner. Every response has a request id already.
 */
export function logExchanges(app: App, { exchanges }: Pick<ApiDeps, 'exchanges'>): void {
  app.decorateRequest('ocpiResponse', '');
  app.addHook('onRequest', (request, reply, next) => {
    answerIds(request, reply);
    next();
  });
  app.addHook('onSend', (request, _reply, payload, next) => {
    request.ocpiResponse = typeof payload === 'string' ? payload : '';
    next(null, payload);
  });
  app.addHook('onResponse', (request, reply, next) => {
    next();
    const { partner, ocpiResponse } = request;
    if (partner === null) return;
    exchanges.add({
      networkId: partner.networkId,
      partnerId: partner.id,
      time: Date.now() - Math.round(reply.elapsedTime),
      id: randomUUID(),
      direction: 'in',
      module: request.routeOptions.config.ocpiModule ?? '',
      method: request.method,
      url: request.url,
      httpStatus: reply.statusCode,
      ocpiStatus: Number(/"status_code":(\d+)/.exec(ocpiResponse)?.[1] ?? 0),
      latencyMs: reply.elapsedTime,
      requestId: request.id,
      correlationId: headerText(reply, 'x-correlation-id'),
      request: bodyText(request),
      response: ocpiResponse,
      error: '',
      object: '',
      objectId: '0',
    });
  });
}

/** Adds the correlation id and the routing headers of a request to its response. */
export function answerIds({ headers }: FastifyRequest, reply: FastifyReply): void {
  const correlationId = headers['x-correlation-id'];
  if (typeof correlationId === 'string' && saneId.test(correlationId)) {
    reply.header('x-correlation-id', correlationId);
  }
  for (const [sent, answered] of turned) {
    const value = headers[sent];
    if (typeof value === 'string' && /^[A-Za-z0-9]{2,3}$/.test(value)) reply.header(answered, value);
  }
}

function headerText(reply: FastifyReply, name: string): string {
  const value = reply.getHeader(name);
  return typeof value === 'string' ? value : '';
}

function bodyText({ body }: FastifyRequest): string {
  return body === undefined || body === null ? '' : JSON.stringify(body);
}
