import { type QueryKey, useInfiniteQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';

interface Page<Row> {
  data: Row[];
  nextCursor: string | null;
}

/**
 * Reads a list with a cursor page by page, for a DataTable: the next page is read when its end is in view.
 * @param key its start is the resource, so that changes of it invalidate the list
 */
export function useCursorList<Row, List extends Page<Row> = Page<Row>>(
  key: QueryKey,
  read: (cursor: string | undefined) => Promise<List & Page<Row>>,
  options: { refetchInterval?: number } = {},
) {
  const query = useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam }) => read(pageParam ?? undefined),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    ...options,
  });
  const { data, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = query;
  const rows = useMemo(() => data?.pages.flatMap((page) => page.data) ?? [], [data]);
  const onRange = useCallback(
    (_first: number, last: number) => {
      // A failed page waits for the retry that its notice offers.
      if (hasNextPage && !isFetchingNextPage && !isFetchNextPageError && last >= rows.length - 1)
        void fetchNextPage();
    },
    [hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage, rows.length],
  );
  return {
    ...query,
    rows,
    /** Loaded rows, and one more while there is a next page. */
    count: rows.length + (hasNextPage ? 1 : 0),
    rowAt: (index: number): Row | undefined => rows[index],
    onRange,
  };
}
