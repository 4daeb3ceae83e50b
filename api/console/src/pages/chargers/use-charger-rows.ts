import { useQueries } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import type { Schemas } from '../../api/client.ts';
import { useNetworkQuery } from '../../app/network-switcher.tsx';
import { pageQuery, pageSize } from './chargers-queries.ts';
import type { ChargersSearch } from './chargers-search.ts';

/** Rows of the list, of which the pages in view are loaded and renewed. */
export function useChargerRows(search: ChargersSearch) {
  const network = useNetworkQuery();
  const [view, setView] = useState({ first: 1, last: 1 });
  const pages = useMemo(
    () => Array.from({ length: view.last - view.first + 1 }, (_, index) => view.first + index),
    [view],
  );
  const results = useQueries({ queries: pages.map((page) => pageQuery(search, network, page)) });
  const loaded = new Map<number, Schemas['ChargerSummary'][]>();
  for (const [index, { data }] of results.entries()) {
    if (data !== undefined) loaded.set(pages[index] ?? 0, data.data);
  }
  const show = useCallback((first: number, last: number) => {
    const next = { first: Math.floor(first / pageSize) + 1, last: Math.floor(last / pageSize) + 1 };
    setView((before) => (before.first === next.first && before.last === next.last ? before : next));
  }, []);
  return {
    rowAt: (index: number) => loaded.get(Math.floor(index / pageSize) + 1)?.[index % pageSize],
    show,
    error: results.find(({ error, data }) => error !== null && data === undefined)?.error ?? null,
    retry: () => {
      for (const { refetch } of results) void refetch();
    },
    /** Number of all rows; undefined until a page is loaded. */
    total: results.find(({ data }) => data !== undefined)?.data?.pagination.total,
  };
}
