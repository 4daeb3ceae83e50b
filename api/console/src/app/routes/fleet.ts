import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { chargersSearch } from '../../pages/chargers/chargers-search.ts';
import { chargerSearch, texts } from '../search-params.ts';
import { signedIn } from './base.tsx';

const chargers = createRoute({
  getParentRoute: () => signedIn,
  path: '/fleet/chargers',
  validateSearch: chargersSearch,
  component: lazyRouteComponent(() => import('../../pages/chargers/chargers-page.tsx'), 'ChargersPage'),
});

const charger = createRoute({
  getParentRoute: () => signedIn,
  path: '/fleet/chargers/$uuid',
  validateSearch: chargerSearch,
  component: lazyRouteComponent(() => import('../../pages/charger/charger-page.tsx'), 'ChargerPage'),
});

const map = createRoute({
  getParentRoute: () => signedIn,
  path: '/fleet/map',
  validateSearch: (search: Record<string, unknown>) => texts(search, 'at'),
  component: lazyRouteComponent(() => import('../../pages/map/map-page.tsx'), 'MapPage'),
});

const bulkJobs = createRoute({
  getParentRoute: () => signedIn,
  path: '/fleet/bulk-jobs',
  component: lazyRouteComponent(() => import('../../pages/bulk-jobs/bulk-jobs-page.tsx'), 'BulkJobsPage'),
});

const bulkJob = createRoute({
  getParentRoute: () => signedIn,
  path: '/fleet/bulk-jobs/$uuid',
  validateSearch: (search: Record<string, unknown>) => texts(search, 'outcome'),
  component: lazyRouteComponent(() => import('../../pages/bulk-jobs/bulk-job-page.tsx'), 'BulkJobPage'),
});

/** Pages of the fleet: chargers, map, bulk jobs. */
export const fleetRoutes = [chargers, charger, map, bulkJobs, bulkJob] as const;
