import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { bulkJobQuery } from '../../pages/bulk-jobs/bulk-queries.ts';
import { chargerQuery } from '../../pages/charger/charger-queries.ts';
import { chargersSearch } from '../../pages/chargers/chargers-search.ts';
import { objectPage } from './object-page.ts';
import { chargerSearch, texts } from '../search-params.ts';
import { loadSiteQuery } from '../../pages/load/load-queries.ts';
import { locationQuery } from '../../pages/locations/location-queries.ts';
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
  ...objectPage(chargerQuery, ({ uid }) => uid),
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
  ...objectPage(bulkJobQuery, ({ action }, t) => t(`bulkJobs:actions.${action}`)),
  validateSearch: (search: Record<string, unknown>) => texts(search, 'outcome'),
  component: lazyRouteComponent(() => import('../../pages/bulk-jobs/bulk-job-page.tsx'), 'BulkJobPage'),
});

const locations = createRoute({
  getParentRoute: () => signedIn,
  path: '/fleet/locations',
  validateSearch: (search: Record<string, unknown>) => texts(search, 'search', 'published'),
  component: lazyRouteComponent(() => import('../../pages/locations/locations-page.tsx'), 'LocationsPage'),
});

const location = createRoute({
  getParentRoute: () => signedIn,
  path: '/fleet/locations/$uuid',
  ...objectPage(locationQuery, ({ name }) => name),
  component: lazyRouteComponent(() => import('../../pages/locations/location-page.tsx'), 'LocationPage'),
});

const models = createRoute({
  getParentRoute: () => signedIn,
  path: '/fleet/models',
  validateSearch: (search: Record<string, unknown>) =>
    texts(search, 'search', 'manufacturer', 'model', 'tab'),
  component: lazyRouteComponent(() => import('../../pages/models/models-page.tsx'), 'ModelsPage'),
});

const rejectedConnections = createRoute({
  getParentRoute: () => signedIn,
  path: '/fleet/rejected-connections',
  component: lazyRouteComponent(
    () => import('../../pages/rejected-connections/rejected-connections-page.tsx'),
    'RejectedConnectionsPage',
  ),
});

const loadSites = createRoute({
  getParentRoute: () => signedIn,
  path: '/fleet/load',
  component: lazyRouteComponent(() => import('../../pages/load/load-sites-page.tsx'), 'LoadSitesPage'),
});

const loadSite = createRoute({
  getParentRoute: () => signedIn,
  path: '/fleet/load/$uuid',
  ...objectPage(loadSiteQuery, ({ name }) => name),
  validateSearch: (search: Record<string, unknown>) => texts(search, 'tab'),
  component: lazyRouteComponent(() => import('../../pages/load/load-site-page.tsx'), 'LoadSitePage'),
});

const labels = createRoute({
  getParentRoute: () => signedIn,
  path: '/fleet/labels',
  staticData: { pageTitle: 'labels' },
  validateSearch: (search: Record<string, unknown>) => texts(search, 'location', 'charger'),
  component: lazyRouteComponent(() => import('../../pages/labels/labels-page.tsx'), 'LabelsPage'),
});

/** Pages of the fleet: chargers, map, locations, models, bulk jobs, rejected connections, load management, labels. */
export const fleetRoutes = [
  chargers,
  charger,
  map,
  locations,
  location,
  models,
  bulkJobs,
  bulkJob,
  rejectedConnections,
  loadSites,
  loadSite,
  labels,
] as const;
