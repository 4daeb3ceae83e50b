import type { App } from './app-instance.ts';

/** Registered routes of an application. */
export interface KnownRoutes {
  /** Returns the methods of a path. */
  methodsAt(path: string): string[];
}

/** Tracks every route registered below `app` from now on, to distinguish a wrong method from a wrong path. */
export function trackRoutes(app: App): KnownRoutes {
  const routes: { methods: string[]; path: RegExp }[] = [];
  app.addHook('onRoute', ({ method, url }) => {
    if (url.includes('*')) return;
    routes.push({ methods: [method].flat(), path: new RegExp(`^${pathPattern(url)}/?$`) });
  });
  return {
    methodsAt: (path) => [
      ...new Set(routes.filter((route) => route.path.test(path)).flatMap((route) => route.methods)),
    ],
  };
}

function pathPattern(url: string): string {
  return url
    .split('/')
    .map((part) => (part.startsWith(':') ? '[^/]+' : part.replaceAll('.', '\\.')))
    .join('/');
}
