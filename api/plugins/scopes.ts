import { requireScope } from '#api/services/access/callers.ts';
import type { PublicScope } from '#shared/domain/access/public-scopes.ts';
import type { Scope } from '#shared/domain/access/scopes.ts';
import type { App } from './app-instance.ts';
import { callerOf } from './auth.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The scope that the caller must carry; null: any caller of the family will do. */
    scope?: Scope | PublicScope | null;
  }
}

/**
 * Checks each route's scope before its body is read. A route that declares none (not even null) and is not anonymous stops
 * the start: forgetting it would open the route to every key.
 */
export function enforceScopes(app: App): void {
  app.addHook('onRoute', ({ method, url, config }) => {
    if (config?.scope === undefined && config?.anonymous !== true)
      throw new Error(`${String(method)} ${url} declares no scope`);
  });
  app.addHook('onRequest', async (request) => {
    const { scope } = request.routeOptions.config;
    if (scope !== undefined && scope !== null) requireScope(callerOf(request), scope);
  });
}
