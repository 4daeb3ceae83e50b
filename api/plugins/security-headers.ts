import helmet from 'helmet';
import type { App } from './app-instance.ts';

const nothing = ["'none'"];

/** An API serves no pages: nothing may be loaded from, or framed around, its answers. */
export function setSecurityHeaders(app: App): void {
  // Made once: @fastify/helmet makes it anew for each request.
  const set = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: nothing, frameAncestors: nothing },
    },
  });
  app.addHook('onRequest', (request, reply, next) => set(request.raw, reply.raw, () => next()));
}
