import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { texts } from '../search-params.ts';
import { signedIn } from './base.tsx';

/** Import of records from CSV files. Lists lead to it. */
export const importRoutes = [
  createRoute({
    getParentRoute: () => signedIn,
    path: '/imports',
    staticData: { pageTitle: 'imports' },
    validateSearch: (search: Record<string, unknown>) => texts(search, 'kind', 'import'),
    component: lazyRouteComponent(() => import('../../pages/imports/imports-page.tsx'), 'ImportsPage'),
  }),
] as const;
