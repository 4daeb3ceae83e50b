import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { driverQuery } from '../../pages/driver/driver-query.ts';
import { objectPage } from './object-page.ts';
import { texts } from '../search-params.ts';
import { signedIn } from './base.tsx';

const drivers = createRoute({
  getParentRoute: () => signedIn,
  path: '/people/drivers',
  validateSearch: (search: Record<string, unknown>) => texts(search, 'search', 'sort'),
  component: lazyRouteComponent(() => import('../../pages/drivers/drivers-page.tsx'), 'DriversPage'),
});

const driver = createRoute({
  getParentRoute: () => signedIn,
  path: '/people/drivers/$uuid',
  ...objectPage(driverQuery, ({ name, email }) => name || email),
  validateSearch: (search: Record<string, unknown>) => texts(search, 'token'),
  component: lazyRouteComponent(() => import('../../pages/driver/driver-page.tsx'), 'DriverPage'),
});

const tokens = createRoute({
  getParentRoute: () => signedIn,
  path: '/people/tokens',
  validateSearch: (search: Record<string, unknown>) =>
    texts(
      search,
      ...(['tab', 'search', 'type', 'valid', 'driver', 'group', 'sort', 'token', 'uid'] as const),
    ),
  component: lazyRouteComponent(() => import('../../pages/tokens/tokens-page.tsx'), 'TokensPage'),
});

const operators = createRoute({
  getParentRoute: () => signedIn,
  path: '/people/operators',
  validateSearch: (search: Record<string, unknown>) => texts(search, 'search', 'role', 'state'),
  component: lazyRouteComponent(() => import('../../pages/operators/operators-page.tsx'), 'OperatorsPage'),
});

const roles = createRoute({
  getParentRoute: () => signedIn,
  path: '/people/roles',
  staticData: { pageTitle: 'roles' },
  component: lazyRouteComponent(() => import('../../pages/roles/roles-page.tsx'), 'RolesPage'),
});

/** Pages of people: drivers, their tokens, operators and roles. */
export const peopleRoutes = [drivers, driver, tokens, operators, roles] as const;
