import { type FactKey, type FactSum, sumFacts } from '#shared/clickhouse/fact-analytics.ts';
import {
  type AnalyzedKind,
  type AnalyzedName,
  findAnalyzedChargers,
  listAnalyzedNames,
} from '#shared/postgres/reporting/analyzed-records.ts';
import type { Caller } from '#api/services/access/callers.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import { fromClickHouse } from '#api/services/kernel/from-clickhouse.ts';
import { type Slice, type SliceQuery, sliceOf } from './analytics-slice.ts';
import { instantsOf } from './analytics-window.ts';

export type { FactSum } from '#shared/clickhouse/fact-analytics.ts';

/** Records by which sessions are grouped. */
export const breakdownKinds = ['location', 'model', 'tariff', 'charger', 'network'] as const;
/** Values by which groups are ordered. */
export const breakdownSorts = ['energy', 'revenue', 'sessions', 'chargingHours'] as const;
type BreakdownSort = (typeof breakdownSorts)[number];

/** Sessions of one record. */
interface Group {
  /** Null: sessions without a location, model or tariff. */
  record: AnalyzedName | null;
  sums: FactSum[];
}

/** Groups of a slice, the first ones in an order. */
interface Breakdown {
  slice: Slice;
  /** Currency by which groups are ordered; null: the caller has no network. */
  currency: string | null;
  groups: Group[];
  groupCount: number;
  /** Sums of all groups. */
  sums: FactSum[];
}

interface BreakdownQuery extends SliceQuery {
  by: AnalyzedKind;
  sort: BreakdownSort;
  order: 'asc' | 'desc';
  limit: number;
  currency?: string | undefined;
}

/**
 * Returns the sessions of a window by location, model, tariff, charger or network. Location and model are those that the charger has
 * now. Records without a session in the window are left out.
 * @throws {DomainError} NETWORK_NOT_FOUND, VALIDATION_FAILED, STORE_UNAVAILABLE.
 */
export async function readBreakdown(
  deps: ServiceDeps,
  caller: Caller,
  query: BreakdownQuery,
): Promise<Breakdown> {
  const { by, order, sort, limit } = query;
  const slice = await sliceOf(deps, caller, query);
  const sums = await fromClickHouse(
    sumFacts(deps.clickhouse, keyOf(by), slice.filter, instantsOf(slice.window)),
  );
  const currency = query.currency?.toUpperCase() ?? currencyOf(slice, sums);
  const recordOf = await recordsOf(deps, by, slice, sums);
  const groups = [...Map.groupBy(sums, ({ key }) => recordOf(key))]
    .map(([id, some]) => ({ id, sums: some, value: valueOf(some, sort, currency) }))
    .toSorted((a, b) => (order === 'asc' ? a.value - b.value : b.value - a.value) || a.id - b.id);
  const first = groups.slice(0, limit);
  const shown = first.map(({ id }) => id);
  const names = await deps.staleReads.read((sql) => listAnalyzedNames(sql, by, shown));
  return {
    slice,
    currency,
    groups: first.map(({ id, sums: some }) => ({ record: names.get(id) ?? null, sums: some })),
    groupCount: groups.length,
    sums,
  };
}

const keyOf = (by: AnalyzedKind): FactKey => (by === 'tariff' || by === 'network' ? by : 'charger');

/** Returns the record of a key of facts, or none for 0. */
async function recordsOf(
  { staleReads }: ServiceDeps,
  by: AnalyzedKind,
  { filter }: Slice,
  sums: readonly FactSum[],
): Promise<(key: number) => number> {
  if (by !== 'location' && by !== 'model') return (key) => key;
  const chargers = await staleReads.read((sql) =>
    findAnalyzedChargers(sql, filter.networkIds, new Set(sums.map(({ key }) => key))),
  );
  const known = new Map(
    chargers.map(({ id, locationId, modelId }) => [id, by === 'location' ? locationId : modelId]),
  );
  return (key) => known.get(key) ?? 0;
}

/** Returns the currency of the most priced sessions, else that of the oldest network. */
function currencyOf({ networks }: Slice, sums: readonly FactSum[]): string | null {
  const byCurrency = [...Map.groupBy(sums, ({ currency }) => currency)].map(([currency, some]) => ({
    currency,
    priced: some.reduce((total, { pricedSessions }) => total + pricedSessions, 0),
  }));
  const [most] = byCurrency.filter(({ priced }) => priced > 0).toSorted((a, b) => b.priced - a.priced);
  return most?.currency ?? networks[0]?.currency ?? null;
}

function valueOf(sums: readonly FactSum[], sort: BreakdownSort, currency: string | null): number {
  return sums.reduce((total, sum) => total + amountOf(sum, sort, currency), 0);
}

function amountOf(sum: FactSum, sort: BreakdownSort, currency: string | null): number {
  if (sort === 'energy') return sum.energyMilliWh;
  if (sort === 'sessions') return sum.sessions;
  if (sort === 'chargingHours') return sum.chargingMs;
  return sum.currency === currency ? Number(sum.costInclVatMinor) : 0;
}
