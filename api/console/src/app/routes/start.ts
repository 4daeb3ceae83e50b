import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { texts } from '../search-params.ts';
import { signedIn } from './base.tsx';

const start = createRoute({
  getParentRoute: () => signedIn,
  path: '/start',
  validateSearch: (search: Record<string, unknown>) => texts(search, 'charger', 'identity'),
  staticData: { pageTitle: 'start' },
  component: lazyRouteComponent(() => import('../../pages/start/start-page.tsx'), 'StartPage'),
});

/** Way to the first session of a network. */
export const startRoutes = [start] as const;
