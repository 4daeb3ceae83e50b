import type { App } from './app-instance.ts';

/**
 * Refuses parameters in the query that a route below `app` does not have, also where it has none at all: of a misspelled
 * filter nobody notices that it filters nothing.
 */
export function refuseUnknownParameters(app: App): void {
  app.addHook('onRoute', (route) => {
    const { querystring, ...schema } = route.schema ?? {};
    const known = { type: 'object', properties: {}, ...(querystring as object | undefined) };
    route.schema = { ...schema, querystring: { ...known, additionalProperties: false } };
  });
}
