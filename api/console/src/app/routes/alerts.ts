import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { alertsSearch } from '../../pages/alerts/alerts-search.ts';
import { signedIn } from './base.tsx';

const alerts = createRoute({
  getParentRoute: () => signedIn,
  path: '/alerts',
  validateSearch: alertsSearch,
  component: lazyRouteComponent(() => import('../../pages/alerts/alerts-page.tsx'), 'AlertsPage'),
});

/** Pages of alerts. */
export const alertsRoutes = [alerts] as const;
