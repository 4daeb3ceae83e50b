import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { sessionQuery } from '../../pages/session/session-queries.ts';
import { reservationsSearch } from '../../pages/reservations/reservations-search.ts';
import { sessionsSearch } from '../../pages/sessions/sessions-search.ts';
import { objectPage } from './object-page.ts';
import { texts } from '../search-params.ts';
import { signedIn } from './base.tsx';

const sessions = createRoute({
  getParentRoute: () => signedIn,
  path: '/charging/sessions',
  validateSearch: sessionsSearch,
  component: lazyRouteComponent(() => import('../../pages/sessions/sessions-page.tsx'), 'SessionsPage'),
});

const session = createRoute({
  getParentRoute: () => signedIn,
  path: '/charging/sessions/$uuid',
  ...objectPage(sessionQuery, ({ chargerUid }, t) => t('session:title', { charger: chargerUid })),
  validateSearch: (search: Record<string, unknown>) => texts(search, 'from', 'to'),
  component: lazyRouteComponent(() => import('../../pages/session/session-page.tsx'), 'SessionPage'),
});

const reservations = createRoute({
  getParentRoute: () => signedIn,
  path: '/charging/reservations',
  validateSearch: reservationsSearch,
  component: lazyRouteComponent(
    () => import('../../pages/reservations/reservations-page.tsx'),
    'ReservationsPage',
  ),
});

const review = createRoute({
  getParentRoute: () => signedIn,
  path: '/charging/review',
  validateSearch: (search: Record<string, unknown>) => texts(search, 'session'),
  component: lazyRouteComponent(() => import('../../pages/review/review-page.tsx'), 'ReviewPage'),
});

/** Pages of charging: sessions, reservations and the review queue. */
export const chargingRoutes = [sessions, session, reservations, review] as const;
