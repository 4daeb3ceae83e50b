import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { analyticsSearch } from '../../pages/analytics/analytics-search.ts';
import { signedIn } from './base.tsx';

const analytics = createRoute({
  getParentRoute: () => signedIn,
  path: '/reporting/analytics',
  validateSearch: analyticsSearch,
  component: lazyRouteComponent(() => import('../../pages/analytics/analytics-page.tsx'), 'AnalyticsPage'),
});

/** Pages of reporting. */
export const reportingRoutes = [analytics] as const;
