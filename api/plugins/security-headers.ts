import helmet from 'helmet';
import type { App } from './app-instance.ts';

const nothing = ["'none'"];

/** Sets the security headers of an API without pages: nothing can be loaded from, or framed around, its responses. */
export function setSecurityHeaders(app: App): void {
  // Created once: @fastify/helmet would create it for each request.
  const set = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: nothing, frameAncestors: nothing },
    },
  });
  app.addHook('onRequest', (request, reply, next) => set(request.raw, reply.raw, () => next()));
}
