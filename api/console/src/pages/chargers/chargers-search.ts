import {
  type ChargerSort,
  chargerSorts,
  type ChargerState,
  chargerStates,
} from '#shared/domain/fleet/charger-state.ts';
import { ocppVersions } from '#shared/domain/fleet/ocpp-version.ts';
import { texts } from '../../app/search-params.ts';
import type { Sort } from '../../ui/table/sort.ts';

export const onlineChoices = ['online', 'offline'] as const;

const names = [
  'search',
  'state',
  'location',
  'model',
  'firmware',
  'version',
  'online',
  'alert',
  'fault',
  'update',
  'sort',
] as const;
const filterNames = names.filter((name) => name !== 'sort');

/** Filters and order of the list in the address. */
export type ChargersSearch = { [Name in (typeof names)[number]]?: string };

export const chargersSearch = (search: Record<string, unknown>): ChargersSearch => texts(search, ...names);

const oneOf = <Value extends string>(values: readonly Value[], text: string | undefined) =>
  values.find((value) => value === text);

/** Returns the states of the filter; without any, all are listed. */
export function statesOf({ state = '' }: ChargersSearch): ChargerState[] {
  const wanted = state.split(',');
  return chargerStates.filter((each) => wanted.includes(each));
}

/** Returns the filters for the API, without values that it does not know. */
export function filterQuery(search: ChargersSearch) {
  const states = statesOf(search);
  const online = oneOf(onlineChoices, search.online);
  const ocppVersion = oneOf(ocppVersions, search.version);
  return {
    ...(search.search === undefined ? {} : { search: search.search }),
    ...(states.length === 0 ? {} : { state: states.join(',') }),
    ...(search.location === undefined ? {} : { locationUuid: search.location }),
    ...(search.model === undefined ? {} : { modelUuid: search.model }),
    ...(search.firmware === undefined ? {} : { firmwareVersion: search.firmware }),
    ...(ocppVersion === undefined ? {} : { ocppVersion }),
    ...(online === undefined ? {} : { isOnline: online === 'online' }),
    ...(search.alert === undefined ? {} : { hasAlert: true }),
    ...(search.fault === undefined ? {} : { hasFault: true }),
    ...(search.update === undefined ? {} : { hasStuckUpdate: true }),
  };
}

/** Returns the order of the address; by name unless it has one. */
export function sortOf({ sort = 'name' }: ChargersSearch): { by: ChargerSort; isDescending: boolean } {
  const isDescending = sort.startsWith('-');
  const by = oneOf(chargerSorts, sort.replace(/^-/, ''));
  return by === undefined ? { by: 'name', isDescending: false } : { by, isDescending };
}

export function sortText({ by, isDescending }: Sort): ChargerSort | `-${ChargerSort}` {
  const known = oneOf(chargerSorts, by) ?? 'name';
  return isDescending ? `-${known}` : known;
}

export const isFiltered = (search: ChargersSearch) => filterNames.some((name) => search[name] !== undefined);

/** Search without filters. */
export const withoutFilters: { [Name in (typeof filterNames)[number]]: undefined } = {
  search: undefined,
  state: undefined,
  location: undefined,
  model: undefined,
  firmware: undefined,
  version: undefined,
  online: undefined,
  alert: undefined,
  fault: undefined,
  update: undefined,
};

/** Change of the search: undefined removes. */
export type SearchChange = { [Name in keyof ChargersSearch]?: ChargersSearch[Name] | undefined };
