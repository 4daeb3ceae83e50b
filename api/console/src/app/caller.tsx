import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { api, type Schemas } from '../api/client.ts';

/** Caller behind the session cookie. */
export type Caller = Awaited<ReturnType<typeof readCaller>>;

const readCaller = () => api.GET('/cpms/v1/me');

export const callerQuery = queryOptions({ queryKey: ['me'], queryFn: readCaller, staleTime: 60_000 });

/** Returns the caller. The layout has loaded it. */
export function useCaller(): Caller {
  return useSuspenseQuery(callerQuery).data;
}

/** Returns whether granted scopes cover a scope. */
export function permits(scopes: readonly string[], scope: string): boolean {
  return scopes.includes(scope) || (scope.startsWith('cpms:read:') && scopes.includes('cpms:read'));
}

/** Returns the check of the caller's scopes. What it lacks is not offered; the server decides. */
export function useScopes(): (scope: string) => boolean {
  const { scopes } = useCaller();
  return (scope) => permits(scopes, scope);
}

/** Returns whether the caller has a scope. */
export function useCan(scope: string): boolean {
  return useScopes()(scope);
}

export const networksQuery = queryOptions({
  queryKey: ['networks'],
  queryFn: async ({ client }): Promise<Schemas['Network'][]> => {
    const { scopes } = await client.ensureQueryData(callerQuery);
    // Pages work without the names of networks.
    if (!permits(scopes, 'cpms:read:networks')) return [];
    return api.GET('/cpms/v1/networks', { params: { query: { pageSize: 100 } } });
  },
  staleTime: 300_000,
});

/** Returns the networks of the caller, none if it may not read them. The layout has loaded them. */
export function useNetworks(): Schemas['Network'][] {
  return useSuspenseQuery(networksQuery).data;
}
