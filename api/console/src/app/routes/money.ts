import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { newTariffSearch, tariffEditorSearch, tariffSearch } from '../../pages/tariff/tariff-search.ts';
import { tariffsSearch } from '../../pages/tariffs/tariffs-search.ts';
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
  component: lazyRouteComponent(() => import('../../pages/tariff/tariff-page.tsx'), 'TariffPage'),
});

const tariffEditor = createRoute({
  getParentRoute: () => signedIn,
  path: '/money/tariffs/$uuid/edit',
  validateSearch: tariffEditorSearch,
  component: lazyRouteComponent(
    () => import('../../pages/tariff/editor/edit-tariff-page.tsx'),
    'EditTariffPage',
  ),
});

/** Pages of money: tariffs. */
export const moneyRoutes = [tariffs, newTariff, tariff, tariffEditor] as const;
