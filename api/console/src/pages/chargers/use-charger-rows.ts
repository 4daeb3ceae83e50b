import { useQueries } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { Schemas } from '../../api/client.ts';
import { useNetworkQuery } from '../../app/network-switcher.tsx';
import { pageQuery, pageSize } from './chargers-queries.ts';
import type { ChargersSearch } from './chargers-search.ts';

/** Time in ms for which the table rests before its rows are loaded, so that scrolling past 20,000 rows loads few. */
const restMs = 80;

/** Pages in view, of the list with a search. */
interface View {
  of: string;
  first: number;
  last: number;
}

/** Rows of the list, of which the pages in view are loaded and renewed. */
export function useChargerRows(search: ChargersSearch) {
  const network = useNetworkQuery();
  const list = JSON.stringify([search, network]);
  const [seen, setSeen] = useState<View>({ of: list, first: 1, last: 1 });
  const view = seen.of === list ? seen : { of: list, first: 1, last: 1 };
  const { first, last } = view;
  const pages = useMemo(
    () => Array.from({ length: last - first + 1 }, (_, index) => first + index),
    [first, last],
  );
  const results = useQueries({ queries: pages.map((page) => pageQuery(search, network, page)) });
  const loaded = new Map<number, Schemas['ChargerSummary'][]>();
  for (const [index, { data }] of results.entries()) {
    if (data !== undefined) loaded.set(pages[index] ?? 0, data.data);
  }
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const show = useCallback(
    (from: number, to: number) => {
      clearTimeout(timer.current);
      timer.current = setTimeout(
        () =>
          setSeen({ of: list, first: Math.floor(from / pageSize) + 1, last: Math.floor(to / pageSize) + 1 }),
        restMs,
      );
    },
    [list],
  );
  return {
    /** Name of the list: another search is another one, which begins at its first row. */
    list,
    rowAt: (index: number) => loaded.get(Math.floor(index / pageSize) + 1)?.[index % pageSize],
    show,
    error: results.find(({ error, data }) => error !== null && data === undefined)?.error ?? null,
    /** Page whose rows could not be renewed. */
    stale: results.find(
      ({ error, fetchStatus, data }) => (error !== null || fetchStatus === 'paused') && data !== undefined,
    ),
    retry: () => {
      for (const { refetch } of results) void refetch();
    },
    /** Number of all rows; undefined until a page is loaded. */
    total: results.find(({ data }) => data !== undefined)?.data?.pagination.total,
  };
}
