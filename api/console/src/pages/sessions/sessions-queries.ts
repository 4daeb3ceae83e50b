import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api, bodies } from '../../api/client.ts';
import { keepWithin } from '../../api/keep-within.ts';
import { filterQuery, type SessionsSearch, sortOf, sortText } from './sessions-search.ts';

const pageSize = 100;

/** While no more pages than this are loaded, the list is read again by itself. */
const renewedPages = 2;
const renewMs = 20_000;

/** Network of the sessions, and time zone of the days that filter them. */
export interface ListScope {
  network: { networkUuid?: string };
  zone: string;
}

const page = (search: SessionsSearch, { network, zone }: ListScope, cursor: string | null) =>
  bodies.GET('/cpms/v1/sessions', {
    params: {
      query: {
        ...network,
        ...filterQuery(search, zone),
        sort: sortText(sortOf(search)),
        pageSize,
        ...(cursor === null ? {} : { cursor }),
      },
    },
  });

/** Sessions that match the filters, page by page. */
export const sessionsQuery = (search: SessionsSearch, { network, zone }: ListScope) =>
  infiniteQueryOptions({
    queryKey: ['sessions', 'list', network, filterQuery(search, zone), sortOf(search)],
    queryFn: ({ pageParam }) => page(search, { network, zone }, pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    placeholderData: keepWithin('sessions', 'list', network),
    refetchInterval: ({ state }) => ((state.data?.pages.length ?? 0) <= renewedPages ? renewMs : false),
  });

/** Sums of the sessions that match the filters. */
export const summaryQuery = (search: SessionsSearch, { network, zone }: ListScope) =>
  queryOptions({
    queryKey: ['sessions', 'summary', network, filterQuery(search, zone)],
    queryFn: () =>
      api.GET('/cpms/v1/sessions/summary', {
        params: { query: { ...network, ...filterQuery(search, zone) } },
      }),
    placeholderData: keepWithin('sessions', 'summary', network),
    refetchInterval: renewMs,
  });

/** Reads all sessions that match the filters, page by page, up to a number. */
export async function* allSessions(search: SessionsSearch, { network, zone }: ListScope, most: number) {
  let cursor: string | null = null;
  let read = 0;
  do {
    const { data, nextCursor }: Awaited<ReturnType<typeof page>> = await page(
      search,
      { network, zone },
      cursor,
    );
    yield data.slice(0, most - read);
    read += data.length;
    cursor = nextCursor;
  } while (cursor !== null && read < most);
}
