import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError, unreachable } from '../api/client.ts';

/** Retries what may pass: no connection, an overloaded or restarting server. */
function mayPass(error: unknown): boolean {
  return error instanceof ApiError && (error.status === unreachable || error.status >= 502);
}

/** Error code of an account that needs a second factor and has none. */
export const enrolmentRequired = 'SECOND_FACTOR_ENROLMENT_REQUIRED';

/** Leads to the sign-in when the session has ended, or to the enrolment of a second factor, and back to the same page after it. */
function followEndOfSession(error: unknown): void {
  if (!(error instanceof ApiError)) return;
  const page =
    error.status === 401 ? 'sign-in' : error.code === enrolmentRequired ? 'second-factor' : undefined;
  if (page === undefined || location.pathname.startsWith(`/console/${page}`)) return;
  const returnTo = `${location.pathname.slice('/console'.length)}${location.search}`;
  location.assign(`/console/${page}?${new URLSearchParams({ returnTo })}`);
}

/** Cache of server state. Shown data stays while it is refreshed or while the server is unreachable. */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: followEndOfSession }),
  mutationCache: new MutationCache({ onError: followEndOfSession }),
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      retry: (failures, error) => mayPass(error) && failures < 5,
      retryDelay: (failures) => Math.min(1000 * 2 ** failures, 10_000),
    },
  },
});
