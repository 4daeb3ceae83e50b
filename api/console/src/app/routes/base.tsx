import {
  createRootRoute,
  createRoute,
  lazyRouteComponent,
  Outlet,
  redirect,
  retainSearchParams,
} from '@tanstack/react-router';
import { ApiError } from '../../api/client.ts';
import { callerQuery, networksQuery } from '../caller.tsx';
import { PageError, PageMissing } from '../page-states.tsx';
import { enrolmentRequired, queryClient } from '../query-client.ts';
import { texts } from '../search-params.ts';

/** Root of all routes. */
export const root = createRootRoute({
  component: Outlet,
  errorComponent: PageError,
  notFoundComponent: PageMissing,
});

/** Sign-in. It and the pages of a forgotten password need no session. */
export const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: (search: Record<string, unknown>) => texts(search, 'returnTo', 'error'),
  component: lazyRouteComponent(() => import('../../pages/sign-in/sign-in-page.tsx'), 'SignInPage'),
});

export const forgotPassword = createRoute({
  getParentRoute: () => root,
  path: '/forgot-password',
  component: lazyRouteComponent(
    () => import('../../pages/sign-in/forgot-password-page.tsx'),
    'ForgotPasswordPage',
  ),
});

export const resetPassword = createRoute({
  getParentRoute: () => root,
  path: '/reset-password',
  component: lazyRouteComponent(
    () => import('../../pages/sign-in/reset-password-page.tsx'),
    'ResetPasswordPage',
  ),
});

/** Enrolment of a second factor, to which accounts that need one are led. */
export const secondFactor = createRoute({
  getParentRoute: () => root,
  path: '/second-factor',
  validateSearch: (search: Record<string, unknown>) => texts(search, 'returnTo'),
  component: lazyRouteComponent(
    () => import('../../pages/second-factor/enrolment-page.tsx'),
    'EnrolmentPage',
  ),
});

/** Everything behind the sign-in. The chosen network is in each address. */
export const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  validateSearch: (search: Record<string, unknown>) => texts(search, 'network'),
  search: { middlewares: [retainSearchParams(['network'])] },
  beforeLoad: async ({ location }) => {
    try {
      await queryClient.ensureQueryData(callerQuery);
    } catch (error) {
      const returnTo = location.href;
      if (error instanceof ApiError && error.code === enrolmentRequired) {
        throw redirect({ to: '/second-factor', search: { returnTo } });
      }
      if (!(error instanceof ApiError) || error.status !== 401) throw error;
      throw redirect({ to: '/sign-in', search: { returnTo } });
    }
    await queryClient.ensureQueryData(networksQuery);
  },
  component: lazyRouteComponent(() => import('../shell.tsx'), 'Shell'),
});
