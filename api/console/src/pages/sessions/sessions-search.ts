import { sessionStatuses } from '#shared/domain/charging/session.ts';
import { sessionSorts } from '#shared/domain/charging/session-order.ts';
import { texts } from '../../app/search-params.ts';
import { zonedDayEnd, zonedDayStart } from '../../texts/zoned-time.ts';
import type { operations } from '../../api/schema.d.ts';
import type { Sort } from '../../ui/table/sort.ts';

/** Filters and order of the list, as they stand in the address. */
const names = [
  'search',
  'status',
  'priceState',
  'inReview',
  'running',
  'duringFrom',
  'duringTo',
  'flag',
  'chargerId',
  'locationId',
  'userId',
  'from',
  'to',
  'tariff',
  'counted',
  'modelId',
  'tariffId',
  'endedFrom',
  'endedTo',
  'endedWeekday',
  'endedHour',
  'timeZone',
  'sort',
] as const;

export type SessionsSearch = { [Name in (typeof names)[number]]?: string };

/** Filters without the order. */
const filterNames = names.filter((name) => name !== 'sort');

type Query = NonNullable<operations['listOperatorSessions']['parameters']['query']>;

export const priceStates = ['OPEN', 'PENDING', 'UNPRICED', 'REVIEW', 'SETTLED'] as const;
const sorts = sessionSorts.flatMap((by) => [by, `-${by}`]);

export function sessionsSearch(search: Record<string, unknown>): SessionsSearch {
  return texts(search, ...names);
}

/** Returns true when the list is filtered. */
export const isFiltered = (search: SessionsSearch) => filterNames.some((name) => search[name] !== undefined);

/** Returns the search without filters. */
export const withoutFilters: SessionsSearch = Object.fromEntries(
  filterNames.map((name) => [name, undefined]),
);

const oneOf = <Value extends string>(values: readonly Value[], text: string | undefined) =>
  values.find((value) => value === text);

const figureNames = [
  'inReview',
  'running',
  'duringFrom',
  'duringTo',
  'counted',
  'endedFrom',
  'endedTo',
  'endedWeekday',
  'endedHour',
] as const;

/** Returns true when the list has the sessions behind a figure. */
export const isOfFigure = (search: SessionsSearch) => figureNames.some((name) => search[name] !== undefined);

/** Returns a whole number of an address; undefined for another text. */
const wholeNumber = (text: string | undefined) =>
  text !== undefined && /^\d{1,2}$/.test(text) ? Number(text) : undefined;

const truth: Record<string, boolean> = { true: true, false: false };

/**
 * Returns the filters of the API: what the address holds, without values that the API does not know.
 * @param zone time zone of the days
 */
export function filterQuery(
  search: SessionsSearch,
  zone: string,
): Omit<Query, 'cursor' | 'pageSize' | 'sort'> {
  const { tariff, from, to, status, priceState, search: text, flag, chargerId, locationId, userId } = search;
  const { inReview = '', running = '', duringFrom, duringTo } = search;
  const { counted = '', modelId, tariffId, endedFrom, endedTo, endedWeekday, endedHour, timeZone } = search;
  const entries = {
    counted: truth[counted],
    inReview: truth[inReview],
    running: truth[running],
    duringFrom,
    duringTo,
    modelId,
    tariffId,
    endedFrom,
    endedTo,
    endedWeekday: wholeNumber(endedWeekday),
    endedHour: wholeNumber(endedHour),
    timeZone,
    search: text,
    status: oneOf(sessionStatuses, status),
    priceState: oneOf(priceStates, priceState),
    flag,
    chargerId,
    locationId,
    userId,
    from: zonedDayStart(from, zone),
    to: zonedDayEnd(to, zone),
    withoutTariff: tariff === 'without' ? true : tariff === 'with' ? false : undefined,
  };
  return Object.fromEntries(Object.entries(entries).filter(([, value]) => value !== undefined));
}

/** Returns the order of the address; the newest first by default. */
export function sortOf({ sort }: SessionsSearch): Sort {
  const known = oneOf(sorts, sort) ?? '-startedAt';
  return { by: known.replace('-', ''), isDescending: known.startsWith('-') };
}

export const sortText = ({ by, isDescending }: Sort) =>
  `${isDescending ? '-' : ''}${by}` as NonNullable<Query['sort']>;
