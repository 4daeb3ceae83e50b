import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api, body, dataOf } from '../../api/client.ts';
import { keepWithin } from '../../api/keep-within.ts';
import { filterQuery, type SessionsSearch, sortOf, sortText } from './sessions-search.ts';

const pageSize = 100;

/** While no more pages than this are loaded, the list is read again by itself. */
const renewedPages = 2;
const renewMs = 20_000;

type Network = { networkUuid?: string };

const page = (search: SessionsSearch, network: Network, cursor: string | null) =>
  body(
    api.GET('/cpms/v1/sessions', {
      params: {
        query: {
          ...network,
          ...filterQuery(search),
          sort: sortText(sortOf(search)),
          pageSize,
          ...(cursor === null ? {} : { cursor }),
        },
      },
    }),
  );

/** Sessions that match the filters, page by page. */
export const sessionsQuery = (search: SessionsSearch, network: Network) =>
  infiniteQueryOptions({
    queryKey: ['sessions', 'list', network, filterQuery(search), sortOf(search)],
    queryFn: ({ pageParam }) => page(search, network, pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    placeholderData: keepWithin('sessions', 'list', network),
    refetchInterval: ({ state }) => ((state.data?.pages.length ?? 0) <= renewedPages ? renewMs : false),
  });

/** Sums of the sessions that match the filters. */
export const summaryQuery = (search: SessionsSearch, network: Network) =>
  queryOptions({
    queryKey: ['sessions', 'summary', network, filterQuery(search)],
    queryFn: () =>
      dataOf(
        api.GET('/cpms/v1/sessions/summary', { params: { query: { ...network, ...filterQuery(search) } } }),
      ),
    placeholderData: keepWithin('sessions', 'summary', network),
    refetchInterval: renewMs,
  });

/** Reads all sessions that match the filters, page by page, up to a number. */
export async function* allSessions(search: SessionsSearch, network: Network, most: number) {
  let cursor: string | null = null;
  let read = 0;
  do {
    const { data, nextCursor }: Awaited<ReturnType<typeof page>> = await page(search, network, cursor);
    yield data.slice(0, most - read);
    read += data.length;
    cursor = nextCursor;
  } while (cursor !== null && read < most);
}
