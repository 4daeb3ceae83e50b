import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { texts } from '../search-params.ts';
import { objectPage } from './object-page.ts';
import { partnerQuery } from '../../pages/roaming/roaming-queries.ts';
import { signedIn } from './base.tsx';

const partners = createRoute({
  getParentRoute: () => signedIn,
  path: '/roaming/partners',
  component: lazyRouteComponent(() => import('../../pages/roaming/partners-page.tsx'), 'PartnersPage'),
});

const newPartner = createRoute({
  getParentRoute: () => signedIn,
  path: '/roaming/partners/new',
  validateSearch: (search: Record<string, unknown>) => texts(search, 'way'),
  component: lazyRouteComponent(() => import('../../pages/roaming/new-partner-page.tsx'), 'NewPartnerPage'),
});

const partner = createRoute({
  getParentRoute: () => signedIn,
  path: '/roaming/partners/$uuid',
  ...objectPage(partnerQuery, ({ name }) => name),
  validateSearch: (search: Record<string, unknown>) => texts(search, 'uid', 'valid'),
  component: lazyRouteComponent(() => import('../../pages/roaming/partner-page.tsx'), 'PartnerPage'),
});

const exchanges = createRoute({
  getParentRoute: () => signedIn,
  path: '/roaming/exchanges',
  validateSearch: (search: Record<string, unknown>) =>
    texts(search, 'partner', 'direction', 'module', 'failed', 'exchange'),
  component: lazyRouteComponent(() => import('../../pages/roaming/exchanges-page.tsx'), 'ExchangesPage'),
});

/** Pages of roaming: partners, the wizard of a handshake, and the exchange log. */
export const roamingRoutes = [partners, newPartner, partner, exchanges] as const;
