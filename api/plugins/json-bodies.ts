import { DomainError } from '#shared/domain/kernel/errors.ts';
import type { App } from './app-instance.ts';
import { withErrors } from './declared-errors.ts';

/** Parses JSON bodies. An empty body counts as none, since clients send the content type without one. */
export function parseJsonBodies(app: App): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, text, done) => {
    if (text === '') return done(null, undefined);
    void parse(request, text, (error, body) => {
      done(error === null ? null : new DomainError('MALFORMED_JSON', 'The body is not valid JSON.'), body);
    });
  });
}

/** Declares the errors of a JSON body for each route below `app` that reads one, also where it accepts none. */
export function declareBodyErrors(app: App): void {
  app.addHook('onRoute', (route) => {
    const { schema = {}, config, method } = route;
    if (!['POST', 'PUT', 'PATCH', 'DELETE'].includes(String(method)) || config?.takesFile === true) return;
    const responses = withErrors((schema.response ?? {}) as Record<string, unknown>, bodyErrors);
    route.schema = { ...schema, response: responses };
  });
}

const bodyErrors = ['MALFORMED_JSON', 'BODY_TIMEOUT', 'BODY_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'] as const;
