import { texts } from '../../app/search-params.ts';
import type { SessionsSearch } from '../sessions/sessions-search.ts';

const names = [
  'range',
  'from',
  'to',
  'period',
  'metric',
  'currency',
  'locationId',
  'modelId',
  'tariffId',
  'heat',
  'by',
  'rank',
  'order',
] as const;

/** Window, filters and views of the page, as they stand in the address. */
export type AnalyticsSearch = { [Name in (typeof names)[number]]?: string };

export const analyticsSearch = (search: Record<string, unknown>): AnalyticsSearch => texts(search, ...names);

export const ranges = { '7d': 7, '30d': 30, '90d': 90, '365d': 365 } as const;
export type Range = keyof typeof ranges;
export const periods = ['hour', 'day', 'week', 'month'] as const;
export type Period = (typeof periods)[number];
export const metrics = ['energy', 'revenue', 'sessions', 'utilization'] as const;
export type Metric = (typeof metrics)[number];
export const heats = ['utilization', 'sessions', 'energy'] as const;
export const kinds = ['location', 'model', 'tariff', 'charger'] as const;
export type Kind = (typeof kinds)[number];
export const ranks = ['revenue', 'energy', 'sessions', 'chargingHours'] as const;
export const orders = ['desc', 'asc'] as const;

/** Returns the value of an address if it is known, else the first. */
export function knownOr<Value extends string>(
  values: readonly [Value, ...Value[]],
  text: string | undefined,
): Value {
  return values.find((value) => value === text) ?? values[0];
}

/** Window of time; both ends inclusive, in ms. */
export interface Window {
  from: number;
  to: number;
}

const dayMs = 86_400_000;

export const rangeOf = ({ range }: AnalyticsSearch): Range => knownOr(['30d', '7d', '90d', '365d'], range);

/** Returns the window of an address: its times, else the range until now. */
export function windowOf(search: AnalyticsSearch, now: number): Window {
  const [from, to] = [Date.parse(search.from ?? ''), Date.parse(search.to ?? '')];
  if (from < to) return { from, to };
  return { from: now - ranges[rangeOf(search)] * dayMs, to: now };
}

/** Returns the window of the same length before a window. */
export function windowBefore({ from, to }: Window): Window {
  return { from: from - (to - from) - 1, to: from - 1 };
}

/** Returns the period of an address, else one that gives some dozens of values. */
export function periodOf({ period }: AnalyticsSearch, { from, to }: Window): Period {
  const known = periods.find((each) => each === period);
  const days = (to - from) / dayMs;
  if (known !== undefined && (known !== 'hour' || days <= 400)) return known;
  if (days <= 3) return 'hour';
  if (days <= 120) return 'day';
  return days <= 800 ? 'week' : 'month';
}

export const iso = (time: number) => new Date(time).toISOString();

/** Returns the filters of the API. */
export function filtersOf({ locationId, modelId, tariffId }: AnalyticsSearch) {
  return {
    ...(locationId === undefined ? {} : { locationId }),
    ...(modelId === undefined ? {} : { modelId }),
    ...(tariffId === undefined ? {} : { tariffId }),
  };
}

/** Returns the address of the sessions behind a number. */
export function sessionsBehind(
  search: AnalyticsSearch,
  { from, to }: Window,
  timeZone: string,
  more: SessionsSearch = {},
): SessionsSearch {
  return { counted: 'true', endedFrom: iso(from), endedTo: iso(to), timeZone, ...filtersOf(search), ...more };
}

/** Returns the filter of the sessions in review that the numbers of a window leave out. */
export function leftOutBehind(search: AnalyticsSearch, { from, to }: Window): SessionsSearch {
  return { priceState: 'REVIEW', endedFrom: iso(from), endedTo: iso(to), ...filtersOf(search) };
}
