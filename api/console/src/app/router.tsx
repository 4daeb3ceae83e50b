import { createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import { PageError, PagePending } from './page-states.tsx';
import { alertsRoutes } from './routes/alerts.ts';
import { chargingRoutes } from './routes/charging.ts';
import { fleetRoutes } from './routes/fleet.ts';
import { importRoutes } from './routes/imports.ts';
import { moneyRoutes } from './routes/money.ts';
import { peopleRoutes } from './routes/people.ts';
import { reportingRoutes } from './routes/reporting.ts';
import { roamingRoutes } from './routes/roaming.ts';
import { forgotPassword, resetPassword, root, secondFactor, signedIn, signIn } from './routes/base.tsx';
import { settingsRoutes } from './routes/settings.ts';
import { startRoutes } from './routes/start.ts';
import { parseSearch, stringifySearch } from './search-params.ts';

const overview = createRoute({
  getParentRoute: () => signedIn,
  path: '/',
  component: lazyRouteComponent(() => import('../pages/overview/overview-page.tsx'), 'OverviewPage'),
});

export const router = createRouter({
  routeTree: root.addChildren([
    signIn,
    forgotPassword,
    resetPassword,
    secondFactor,
    signedIn.addChildren([
      overview,
      ...fleetRoutes,
      ...chargingRoutes,
      ...moneyRoutes,
      ...peopleRoutes,
      ...roamingRoutes,
      ...reportingRoutes,
      ...alertsRoutes,
      ...importRoutes,
      ...settingsRoutes,
      ...startRoutes,
    ]),
  ]),
  basepath: '/console',
  parseSearch,
  stringifySearch,
  defaultErrorComponent: PageError,
  defaultPendingComponent: PagePending,
  defaultPreload: 'intent',
  // Queries decide what is fresh.
  defaultPreloadStaleTime: 0,
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
