import { QueryClient } from '@tanstack/react-query';
import { ApiError, unreachable } from '../api/client.ts';

/** Retries what may pass: no connection, an overloaded or restarting server. */
function mayPass(error: unknown): boolean {
  return error instanceof ApiError && (error.status === unreachable || error.status >= 502);
}

/** Cache of server state. Shown data stays while it is refreshed or while the server is unreachable. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      retry: (failures, error) => mayPass(error) && failures < 5,
      retryDelay: (failures) => Math.min(1000 * 2 ** failures, 10_000),
    },
  },
});
