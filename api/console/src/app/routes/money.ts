import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { invoiceQuery } from '../../pages/invoice/invoice-query.ts';
import { invoicesSearch } from '../../pages/invoices/invoices-search.ts';
import { newTariffSearch, tariffEditorSearch, tariffSearch } from '../../pages/tariff/tariff-search.ts';
import { tariffsSearch } from '../../pages/tariffs/tariffs-search.ts';
import { texts } from '../search-params.ts';
import { objectPage } from './object-page.ts';
import { tariffQuery } from '../../pages/tariff/tariff-queries.ts';
import { walletQuery } from '../../pages/wallets/wallets-queries.ts';
import { signedIn } from './base.tsx';

const tariffs = createRoute({
  getParentRoute: () => signedIn,
  path: '/money/tariffs',
  validateSearch: tariffsSearch,
  component: lazyRouteComponent(() => import('../../pages/tariffs/tariffs-page.tsx'), 'TariffsPage'),
});

const newTariff = createRoute({
  getParentRoute: () => signedIn,
  path: '/money/tariffs/new',
  validateSearch: newTariffSearch,
  component: lazyRouteComponent(
    () => import('../../pages/tariff/editor/new-tariff-page.tsx'),
    'NewTariffPage',
  ),
});

const tariff = createRoute({
  getParentRoute: () => signedIn,
  path: '/money/tariffs/$uuid',
  validateSearch: tariffSearch,
  ...objectPage(tariffQuery, ({ name }) => name ?? ''),
  component: lazyRouteComponent(() => import('../../pages/tariff/tariff-page.tsx'), 'TariffPage'),
});

const tariffEditor = createRoute({
  getParentRoute: () => signedIn,
  path: '/money/tariffs/$uuid/edit',
  validateSearch: tariffEditorSearch,
  ...objectPage(tariffQuery, ({ name }) => name ?? ''),
  component: lazyRouteComponent(
    () => import('../../pages/tariff/editor/edit-tariff-page.tsx'),
    'EditTariffPage',
  ),
});

const wallets = createRoute({
  getParentRoute: () => signedIn,
  path: '/money/wallets',
  validateSearch: (search: Record<string, unknown>) => texts(search, 'search', 'debt', 'sort'),
  component: lazyRouteComponent(() => import('../../pages/wallets/wallets-page.tsx'), 'WalletsPage'),
});

const wallet = createRoute({
  getParentRoute: () => signedIn,
  path: '/money/wallets/$uuid',
  validateSearch: (search: Record<string, unknown>) => texts(search, 'type', 'from', 'to'),
  ...objectPage(walletQuery, ({ userName, userEmail }) => userName || userEmail),
  component: lazyRouteComponent(() => import('../../pages/wallet/wallet-page.tsx'), 'WalletPage'),
});

const invoices = createRoute({
  getParentRoute: () => signedIn,
  path: '/money/invoices',
  validateSearch: invoicesSearch,
  component: lazyRouteComponent(() => import('../../pages/invoices/invoices-page.tsx'), 'InvoicesPage'),
});

const invoice = createRoute({
  getParentRoute: () => signedIn,
  path: '/money/invoices/$uuid',
  ...objectPage(invoiceQuery, ({ kind, invoiceNumber }, t) =>
    t(`invoices:invoice.heading.${kind}`, { number: invoiceNumber }),
  ),
  component: lazyRouteComponent(() => import('../../pages/invoice/invoice-page.tsx'), 'InvoicePage'),
});

/** Pages of money: tariffs, wallets, invoices. */
export const moneyRoutes = [
  tariffs,
  newTariff,
  tariff,
  tariffEditor,
  wallets,
  wallet,
  invoices,
  invoice,
] as const;
