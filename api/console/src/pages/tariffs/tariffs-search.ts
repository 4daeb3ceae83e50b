import { texts } from '../../app/search-params.ts';

/** Filters of the list, as they stand in the address. */
export type TariffsSearch = { name?: string; currency?: string; assigned?: string };

export function tariffsSearch(search: Record<string, unknown>): TariffsSearch {
  return texts(search, 'name', 'currency', 'assigned');
}

/** Returns true when the list is filtered. */
export const isFiltered = (search: TariffsSearch) =>
  search.name !== undefined || search.currency !== undefined || search.assigned !== undefined;

/** Returns the filters of the API. What it does not know is left out. */
export function tariffsFilter({ name, currency, assigned }: TariffsSearch) {
  return {
    ...(name === undefined ? {} : { name }),
    ...(currency === undefined || !/^[A-Z]{3}$/.test(currency) ? {} : { currency }),
    ...(assigned === 'yes' || assigned === 'no' ? { isAssigned: assigned === 'yes' } : {}),
  };
}
