import type { DataTag, FetchQueryOptions, QueryKey } from '@tanstack/react-query';
import { objectTitle } from '../page-title.tsx';
import { queryClient } from '../query-client.ts';

/**
 * Returns the options of a page about one object: its title, and a loader of its data. The previous page stays until the data arrive:
 * React shows a page that waits for data by itself 300 ms later.
 */
export function objectPage<Data, Key extends QueryKey>(
  query: (id: string) => FetchQueryOptions<Data, Error, Data, Key> & {
    queryKey: DataTag<QueryKey, Data, Error>;
  },
  name: Parameters<typeof objectTitle<Data>>[1],
) {
  return {
    staticData: { objectTitle: objectTitle(query, name) },
    async loader({ params, preload }: { params: { uuid: string }; preload: boolean }) {
      const options = query(params.uuid);
      // A link under the pointer loads the code of its page only. The page reads a failed query again, and shows its error.
      if (preload || queryClient.getQueryData(options.queryKey) !== undefined) return;
      await queryClient.prefetchQuery(options);
    },
  };
}
