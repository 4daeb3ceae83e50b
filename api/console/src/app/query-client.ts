import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError, unreachable } from '../api/client.ts';

/** Retries what may pass: no connection, an overloaded or restarting server. */
function mayPass(error: unknown): boolean {
  return error instanceof ApiError && (error.status === unreachable || error.status >= 502);
}

/** Leads to the sign-in when the session has ended, and back to the same page after it. */
function followEndOfSession(error: unknown): void {
  const isSignIn = location.pathname.startsWith('/console/sign-in');
  if (!(error instanceof ApiError) || error.status !== 401 || isSignIn) return;
  const returnTo = `${location.pathname.slice('/console'.length)}${location.search}`;
  location.assign(`/console/sign-in?${new URLSearchParams({ returnTo })}`);
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
