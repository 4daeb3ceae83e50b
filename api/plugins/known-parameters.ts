import type { App } from './app-instance.ts';

/**
 * Rejects unknown query parameters below `app`, also on routes without a query. A misspelled filter would otherwise be
 * ignored unnoticed. A route whose query is written by another server accepts them by its schema.
 */
export function refuseUnknownParameters(app: App): void {
  app.addHook('onRoute', (route) => {
    const { querystring, ...schema } = route.schema ?? {};
    const known = {
      type: 'object',
      properties: {},
      additionalProperties: false,
      ...(querystring as object | undefined),
    };
    route.schema = { ...schema, querystring: known };
  });
}
