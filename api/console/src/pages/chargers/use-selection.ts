import { useState } from 'react';
import type { Selection } from '../../ui/table/selection.tsx';
import type { Schemas } from '../../api/client.ts';

type Row = Schemas['ChargerSummary'];

/** Most chargers that a job takes by their ids; a filter takes any number. */
const maxIds = 10_000;

/** Chosen chargers of a list: some by their ids, or all that match. */
interface Chosen {
  of: string;
  ids: readonly string[] | 'all';
}

/**
 * Chosen rows of the list of chargers. Another list has none.
 * @param list name of the list, by network and filters
 */
export function useSelection(list: string, total: number | undefined) {
  const [chosen, setChosen] = useState<Chosen>({ of: list, ids: [] });
  const ids = chosen.of === list ? chosen.ids : [];
  const set = (next: Chosen['ids']) => setChosen({ of: list, ids: next });
  const isAll = ids === 'all';
  const known = new Set(isAll ? [] : ids);
  const selection: Selection<Row> = {
    isAll,
    isSelected: (key) => known.has(key),
    toggle: (key) =>
      set(known.has(key) ? [...known].filter((id) => id !== key) : [...known, key].slice(-maxIds)),
    toggleAll: () => set(isAll ? [] : 'all'),
    nameOf: ({ uid }) => uid,
  };
  return {
    selection,
    ids,
    count: isAll ? (total ?? 0) : known.size,
    selectAll: () => set('all'),
    clear: () => set([]),
  };
}
