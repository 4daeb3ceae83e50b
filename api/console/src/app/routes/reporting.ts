import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { analyticsSearch } from '../../pages/analytics/analytics-search.ts';
import { exportsSearch } from '../../pages/exports/exports-queries.ts';
import { signedIn } from './base.tsx';

const analytics = createRoute({
  getParentRoute: () => signedIn,
  path: '/reporting/analytics',
  validateSearch: analyticsSearch,
  component: lazyRouteComponent(() => import('../../pages/analytics/analytics-page.tsx'), 'AnalyticsPage'),
});

const exports = createRoute({
  getParentRoute: () => signedIn,
  path: '/reporting/exports',
  validateSearch: exportsSearch,
  component: lazyRouteComponent(() => import('../../pages/exports/exports-page.tsx'), 'ExportsPage'),
});

/** Pages of reporting: analytics, exports. */
export const reportingRoutes = [analytics, exports] as const;
