import type { NetworkScope } from '#shared/domain/access/tenancy.ts';
import { type Span, tracing } from '#shared/tracing/tracing.ts';
import type { App } from './app-instance.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Span of the request. Null while tracing is off, and for metrics and health. */
    span: Span | null;
  }
}

/** Paths that probes and collectors request all the time. */
const untraced = /^\/(?:metrics|health)\b/;

/** Makes a span of each request, a child of its `traceparent`, and adds the id of the trace to its log lines. */
export function traceRequests(app: App): void {
  app.decorateRequest('span', null);
  const traces = tracing();
  if (traces === null) return;
  app.addHook('onRequest', (request, _reply, next) => {
    const route = request.routeOptions.url;
    if (untraced.test(request.url)) return next();
    const parent = request.headers['traceparent'];
    request.span = traces.start({
      // Without the pattern of a route each path would be an operation of its own.
      name: route === undefined ? request.method : `${request.method} ${route}`,
      kind: 'server',
      attributes: {
        'http.request.method': request.method,
        'http.route': route,
        'chargeway.request_id': request.id,
      },
      parent: typeof parent === 'string' ? parent : undefined,
    });
    request.log = request.log.child({ traceId: request.span.traceId });
    next();
  });
  // After the body, which arrives in callbacks of its own.
  app.addHook('preHandler', (request, _reply, next) => {
    if (request.span === null) next();
    else traces.run(request.span, next);
  });
  app.addHook('onResponse', (request, reply, next) => {
    const { caller, span } = request;
    span?.end(
      {
        'http.response.status_code': reply.statusCode,
        'chargeway.caller': caller === null ? undefined : `${caller.who.kind}:${caller.who.id}`,
        'chargeway.networks': caller === null ? undefined : networksOf(caller.networks),
      },
      reply.statusCode >= 500 ? `status ${reply.statusCode}` : undefined,
    );
    next();
  });
}

function networksOf(scope: NetworkScope): string {
  return scope.all ? 'all' : scope.networkIds.join(',');
}
