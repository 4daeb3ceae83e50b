import { queryOptions } from '@tanstack/react-query';
import { api, type Schemas } from '../../api/client.ts';
import { permits } from '../../app/caller.tsx';

export type ApiKey = Schemas['ApiKey'];
export type Family = ApiKey['apiFamily'];

interface Network {
  networkUuid?: string;
}

/** Keys of the operator API. */
export const operatorKeysQuery = (network: Network) =>
  queryOptions({
    queryKey: ['api-keys', 'cpms', network],
    queryFn: () => api.GET('/cpms/v1/api-keys', { params: { query: network } }),
    refetchInterval: 15_000,
  });

/** Keys of the driver API. */
export const driverKeysQuery = (network: Network) =>
  queryOptions({
    queryKey: ['api-keys', 'emsp', network],
    queryFn: () => api.GET('/cpms/v1/public-api-keys', { params: { query: network } }),
    refetchInterval: 15_000,
  });

export const scopesQuery = queryOptions({
  queryKey: ['scopes'],
  queryFn: () => api.GET('/cpms/v1/.well-known/scopes'),
  staleTime: Infinity,
});

interface ScopeGroup {
  id: 'reads' | 'writes' | 'commands' | 'driver';
  scopes: string[];
}

/** Returns the scopes that a caller may grant to a key. */
export function grantable(
  catalog: Schemas['ScopeCatalog'],
  family: Family,
  own: readonly string[],
): ScopeGroup[] {
  const { reads, writes, commands, publicApi } = catalog;
  const groups: ScopeGroup[] =
    family === 'emsp'
      ? [
          {
            id: 'driver',
            scopes: publicApi.scopes
              .filter(({ requires }) => requires.every((scope) => permits(own, scope)))
              .map(({ scope }) => scope),
          },
        ]
      : (
          [
            ['reads', reads],
            ['writes', writes],
            ['commands', commands],
          ] as const
        ).map(([id, scopes]) => ({ id, scopes: scopes.filter((scope) => permits(own, scope)) }));
  return groups.filter(({ scopes }) => scopes.length > 0);
}

/** Returns the name of a key: its own, or the shown part of its secret. */
export function nameOf({ name, keyPrefix, last4 }: ApiKey): string {
  return name ?? `${keyPrefix}…${last4}`;
}

/** Returns the keys that a key created, directly or through others. */
export function descendantsOf(key: ApiKey, keys: readonly ApiKey[]): ApiKey[] {
  const children = keys.filter(({ createdBy }) => createdBy?.type === 'key' && createdBy.id === key.id);
  return children.flatMap((child) => [child, ...descendantsOf(child, keys)]);
}
