import { walletSorts } from '#shared/domain/money/wallet-order.ts';
import { queryOptions } from '@tanstack/react-query';
import { api, bodies, type Schemas } from '../../api/client.ts';
import { keepWithin } from '../../api/keep-within.ts';
import { sortOf, sortText } from '../../ui/table/sort.ts';

export type Wallet = Schemas['Wallet'];

/** Filters of the list, as they stand in the address. */
export interface WalletsSearch {
  search?: string | undefined;
  /** `owing` or `none`. */
  debt?: string | undefined;
  sort?: string | undefined;
}

type Network = { networkUuid?: string };

const pageSize = 100;

/** Key of all lists and sums of wallets. */
export const walletsKey = ['wallets'] as const;

/** Key of everything about a wallet. */
export const walletKey = (uuid: string) => ['wallet', uuid] as const;

const filterQuery = ({ search, debt }: WalletsSearch) => ({
  ...(search !== undefined && { search }),
  ...((debt === 'owing' || debt === 'none') && { owing: debt === 'owing' }),
});

/** Returns the order of the address; the oldest first by default. */
export const walletsSort = ({ sort }: WalletsSearch) => sortOf(walletSorts, sort);

export const listKey = (search: WalletsSearch, network: Network) => [
  ...walletsKey,
  'list',
  network,
  filterQuery(search),
  walletsSort(search),
];

export const walletsPage = (search: WalletsSearch, network: Network, cursor: string | undefined) =>
  bodies.GET('/cpms/v1/wallets', {
    params: {
      query: { ...network, ...filterQuery(search), sort: sortText(walletsSort(search)), pageSize, cursor },
    },
  });

export const walletSumsQuery = (search: WalletsSearch, network: Network) =>
  queryOptions({
    queryKey: [...walletsKey, 'sums', network, filterQuery(search)],
    queryFn: () =>
      api.GET('/cpms/v1/wallets/summary', { params: { query: { ...network, ...filterQuery(search) } } }),
    placeholderData: keepWithin(...walletsKey, 'sums', network),
  });

export const walletQuery = (uuid: string) =>
  queryOptions({
    queryKey: [...walletKey(uuid), 'detail'],
    queryFn: () => api.GET('/cpms/v1/wallets/{uuid}', { params: { path: { uuid } } }),
    refetchInterval: 30_000,
  });

/** The wallet of a driver, if there is one. */
export const driverWalletQuery = (userId: string) =>
  queryOptions({
    queryKey: [...walletsKey, 'driver', userId],
    queryFn: async () => {
      const [wallet] = await api.GET('/cpms/v1/wallets', { params: { query: { userId, pageSize: 1 } } });
      return wallet ?? null;
    },
    staleTime: 60_000,
  });
