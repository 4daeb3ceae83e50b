import type { IncomingMessage, ServerResponse } from 'node:http';
import helmet from 'helmet';
import type { App } from './app-instance.ts';

const nothing = ["'none'"];

/** Policy of a document that pages of this origin may show in a frame: it loads nothing. */
export const framedPolicy = "default-src 'none';frame-ancestors 'self'";

/** Sets the security headers of an API without pages: nothing can be loaded from, or framed around, its responses. */
export function setSecurityHeaders(app: App): void {
  const headers = securityHeaders();
  app.addHook('onRequest', (_request, reply, next) => {
    reply.headers(headers);
    next();
  });
}

/** Returns the headers of an API without pages. */
function securityHeaders(): Record<string, string> {
  return headersOf(
    helmet({
      contentSecurityPolicy: {
        useDefaults: false,
        directives: { defaultSrc: nothing, frameAncestors: nothing },
      },
    }),
  );
}

/** Returns the headers that helmet sets, which are the same for each response: its chain of functions runs once. */
export function headersOf(set: ReturnType<typeof helmet>): Record<string, string> {
  const headers: Record<string, string> = {};
  const response = {
    setHeader: (name: string, value: string) => (headers[name.toLowerCase()] = value),
    removeHeader: () => undefined,
  };
  set({} as IncomingMessage, response as unknown as ServerResponse, (error) => {
    if (error !== undefined) throw error;
  });
  return headers;
}
