import type { App } from '#api/plugins/app-instance.ts';

/** Registers routes. */
type Register<Deps> = (app: App, deps: Deps) => void;

/** Returns the routes of a room as one registration. The room is the tag of its operations in the OpenAPI document. */
export function room<Deps>(name: string, routes: readonly Register<Deps>[]): Register<Deps> {
  return (app, deps) => {
    app.register(async (within) => {
      within.addHook('onRoute', (route) => {
        route.schema = { tags: [name], ...route.schema };
      });
      for (const register of routes) register(within, deps);
    });
  };
}
