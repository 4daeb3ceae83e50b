import { DomainError } from '#shared/domain/kernel/errors.ts';
import type { App } from './app-instance.ts';

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
