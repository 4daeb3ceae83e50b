import { requireScope } from '#api/services/access/callers.ts';
import type { PublicScope } from '#shared/domain/access/public-scopes.ts';
import type { Scope } from '#shared/domain/access/scopes.ts';
import type { App } from './app-instance.ts';
import { callerOf } from './auth.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Scope that the caller needs. Null: any caller of the family. */
    scope?: Scope | PublicScope | null;
  }
}

/**
 * Verifies the scope of a route before its body is read. A route that declares no scope (not even null) and is not
 * anonymous stops the start: such a route would be open to every key.
 */
export function enforceScopes(app: App): void {
  app.addHook('onRoute', ({ method, url, config }) => {
    if (config?.scope === undefined && config?.anonymous !== true)
      throw new Error(`${String(method)} ${url} declares no scope`);
  });
  app.addHook('onRequest', (request, _reply, next) => {
    const { scope } = request.routeOptions.config;
    if (scope !== undefined && scope !== null) requireScope(callerOf(request), scope);
    next();
  });
}
