import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { auditSearch } from '../../pages/audit-log/audit-search.ts';
import { texts } from '../search-params.ts';
import { objectPage } from './object-page.ts';
import { networkQuery } from '../../pages/networks/network-queries.ts';
import { webhookQuery } from '../../pages/webhooks/webhook-queries.ts';
import { signedIn } from './base.tsx';

const auditLog = createRoute({
  getParentRoute: () => signedIn,
  path: '/settings/audit-log',
  validateSearch: auditSearch,
  component: lazyRouteComponent(() => import('../../pages/audit-log/audit-log-page.tsx'), 'AuditLogPage'),
});

const networks = createRoute({
  getParentRoute: () => signedIn,
  path: '/settings/network',
  component: lazyRouteComponent(() => import('../../pages/networks/networks-page.tsx'), 'NetworksPage'),
});

const network = createRoute({
  getParentRoute: () => signedIn,
  path: '/settings/network/$uuid',
  validateSearch: (search: Record<string, unknown>) => texts(search, 'tab'),
  ...objectPage(networkQuery, ({ name }) => name),
  component: lazyRouteComponent(() => import('../../pages/networks/network-page.tsx'), 'NetworkPage'),
});

const apiKeys = createRoute({
  getParentRoute: () => signedIn,
  path: '/settings/api-keys',
  validateSearch: (search: Record<string, unknown>) => texts(search, 'family', 'key'),
  component: lazyRouteComponent(() => import('../../pages/api-keys/api-keys-page.tsx'), 'ApiKeysPage'),
});

const webhooks = createRoute({
  getParentRoute: () => signedIn,
  path: '/settings/webhooks',
  component: lazyRouteComponent(() => import('../../pages/webhooks/webhooks-page.tsx'), 'WebhooksPage'),
});

const webhook = createRoute({
  getParentRoute: () => signedIn,
  path: '/settings/webhooks/$uuid',
  validateSearch: (search: Record<string, unknown>) => texts(search, 'tab', 'outcome', 'opened'),
  ...objectPage(webhookQuery, ({ url }) => url),
  component: lazyRouteComponent(() => import('../../pages/webhooks/webhook-page.tsx'), 'WebhookPage'),
});

const installation = createRoute({
  getParentRoute: () => signedIn,
  path: '/settings/installation',
  component: lazyRouteComponent(
    () => import('../../pages/installation/installation-page.tsx'),
    'InstallationPage',
  ),
});

const account = createRoute({
  getParentRoute: () => signedIn,
  path: '/settings/account',
  staticData: { pageTitle: 'account' },
  component: lazyRouteComponent(() => import('../../pages/account/account-page.tsx'), 'AccountPage'),
});

/** Pages of the settings: networks, API keys, webhooks, the audit log, the installation, the own account. */
export const settingsRoutes = [
  networks,
  network,
  apiKeys,
  webhooks,
  webhook,
  auditLog,
  installation,
  account,
] as const;
