import type { App } from './app-instance.ts';

/**
 * Rejects unknown query parameters below `app`, also on routes without a query. A misspelled filter would otherwise be
 * ignored unnoticed.
 */
export function refuseUnknownParameters(app: App): void {
  app.addHook('onRoute', (route) => {
    const { querystring, ...schema } = route.schema ?? {};
    const known = { type: 'object', properties: {}, ...(querystring as object | undefined) };
    route.schema = { ...schema, querystring: { ...known, additionalProperties: false } };
  });
}
