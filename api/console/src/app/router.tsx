import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
  retainSearchParams,
} from '@tanstack/react-router';
import { ApiError } from '../api/client.ts';
import { chargersSearch } from '../pages/chargers/chargers-search.ts';
import { sessionsSearch } from '../pages/sessions/sessions-search.ts';
import { callerQuery, networksQuery } from './caller.tsx';
import { PageError, PageMissing, PagePending } from './page-states.tsx';
import { queryClient } from './query-client.ts';
import { chargerSearch, texts } from './search-params.ts';

const root = createRootRoute({
  component: Outlet,
  errorComponent: PageError,
  notFoundComponent: PageMissing,
});

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: (search: Record<string, unknown>) => texts(search, 'returnTo', 'error'),
  component: lazyRouteComponent(() => import('../pages/sign-in/sign-in-page.tsx'), 'SignInPage'),
});

/** Everything behind the sign-in. The chosen network is in each address. */
export const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  validateSearch: (search: Record<string, unknown>) => texts(search, 'network'),
  search: { middlewares: [retainSearchParams(['network'])] },
  beforeLoad: async ({ location }) => {
    try {
      await queryClient.ensureQueryData(callerQuery);
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 401) throw error;
      throw redirect({ to: '/sign-in', search: { returnTo: location.href } });
    }
    await queryClient.ensureQueryData(networksQuery);
  },
  component: lazyRouteComponent(() => import('./shell.tsx'), 'Shell'),
});

const overview = createRoute({
  getParentRoute: () => signedIn,
  path: '/',
  component: lazyRouteComponent(() => import('../pages/overview/overview-page.tsx'), 'OverviewPage'),
});

const map = createRoute({
  getParentRoute: () => signedIn,
  path: '/fleet/map',
  validateSearch: (search: Record<string, unknown>) => texts(search, 'at'),
  component: lazyRouteComponent(() => import('../pages/map/map-page.tsx'), 'MapPage'),
});

const bulkJobs = createRoute({
  getParentRoute: () => signedIn,
  path: '/fleet/bulk-jobs',
  component: lazyRouteComponent(() => import('../pages/bulk-jobs/bulk-jobs-page.tsx'), 'BulkJobsPage'),
});

const bulkJob = createRoute({
  getParentRoute: () => signedIn,
  path: '/fleet/bulk-jobs/$uuid',
  validateSearch: (search: Record<string, unknown>) => texts(search, 'outcome'),
  component: lazyRouteComponent(() => import('../pages/bulk-jobs/bulk-job-page.tsx'), 'BulkJobPage'),
});

const chargers = createRoute({
  getParentRoute: () => signedIn,
  path: '/fleet/chargers',
  validateSearch: chargersSearch,
  component: lazyRouteComponent(() => import('../pages/chargers/chargers-page.tsx'), 'ChargersPage'),
});

const charger = createRoute({
  getParentRoute: () => signedIn,
  path: '/fleet/chargers/$uuid',
  validateSearch: chargerSearch,
  component: lazyRouteComponent(() => import('../pages/charger/charger-page.tsx'), 'ChargerPage'),
});

const sessions = createRoute({
  getParentRoute: () => signedIn,
  path: '/charging/sessions',
  validateSearch: sessionsSearch,
  component: lazyRouteComponent(() => import('../pages/sessions/sessions-page.tsx'), 'SessionsPage'),
});

const session = createRoute({
  getParentRoute: () => signedIn,
  path: '/charging/sessions/$uuid',
  validateSearch: (search: Record<string, unknown>) => texts(search, 'from', 'to'),
  component: lazyRouteComponent(() => import('../pages/session/session-page.tsx'), 'SessionPage'),
});

const review = createRoute({
  getParentRoute: () => signedIn,
  path: '/charging/review',
  validateSearch: (search: Record<string, unknown>) => texts(search, 'session'),
  component: lazyRouteComponent(() => import('../pages/review/review-page.tsx'), 'ReviewPage'),
});

export const router = createRouter({
  routeTree: root.addChildren([
    signIn,
    signedIn.addChildren([overview, chargers, charger, map, bulkJobs, bulkJob, sessions, session, review]),
  ]),
  basepath: '/console',
  defaultErrorComponent: PageError,
  defaultPendingComponent: PagePending,
  defaultPreload: 'intent',
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
