import { type ReportedTime, sumOfflineStates, sumReportedStates } from '#shared/clickhouse/charger-states.ts';
import { type ChargerState, chargerStates } from '#shared/domain/fleet/charger-state.ts';
import {
  type AnalyzedName,
  findAnalyzedChargers,
  listAnalyzedNames,
} from '#shared/postgres/reporting/analyzed-records.ts';
import type { Caller } from '#api/services/access/callers.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import { fromClickHouse } from '#api/services/kernel/from-clickhouse.ts';
import { wrongParameter } from '#api/services/kernel/validation.service.ts';
import { type Slice, type SliceQuery, sliceOf } from './analytics-slice.ts';

/** Records by which states are grouped. */
export const availabilityKinds = ['location', 'charger', 'model', 'network'] as const;

/** Longest window: the events of a month are read one by one. */
export const maxAvailabilityDays = 31;

/** Time in ms of each state. */
type StateTimes = Record<ChargerState, number>;

/** States and faults of connectors. */
export interface Availability {
  times: StateTimes;
  faults: number;
  /** Time for which faults were reported, offline or not. */
  faultMs: number;
}

/** States of the chargers of a record. */
interface AvailabilityGroup extends Availability {
  /** Null: chargers without a location or model. */
  record: AnalyzedName | null;
}

/** Faults of one error code. */
interface FaultCode {
  code: string;
  faults: number;
  ms: number;
}

interface AvailabilityReport {
  slice: Slice;
  totals: Availability;
  groups: AvailabilityGroup[];
  groupCount: number;
  codes: FaultCode[];
}

interface AvailabilityQuery extends SliceQuery {
  by: (typeof availabilityKinds)[number];
  order: 'asc' | 'desc';
  limit: number;
}

const dayMs = 24 * 60 * 60_000;
const maxCodes = 20;

/**
 * Returns how long connectors were in each state, until now, and their faults. A connector counts from its first report of the window
 * or of the 31 days before it.
 * @throws {DomainError} NETWORK_NOT_FOUND, VALIDATION_FAILED, STORE_UNAVAILABLE.
 */
export async function readAvailability(
  deps: ServiceDeps,
  caller: Caller,
  query: AvailabilityQuery,
): Promise<AvailabilityReport> {
  const { by, order, limit } = query;
  const slice = await sliceOf(deps, caller, query);
  const window = { from: slice.window.from.getTime(), to: Math.min(slice.window.to.getTime(), Date.now()) };
  if (window.to - window.from > maxAvailabilityDays * dayMs)
    throw wrongParameter('from', `must be at most ${maxAvailabilityDays} days before to`);
  const [reported, offline] =
    window.from < window.to
      ? await fromClickHouse(
          Promise.all([
            sumReportedStates(deps.clickhouse, slice.filter, window),
            sumOfflineStates(deps.clickhouse, slice.filter, window),
          ]),
        )
      : [[], []];
  const gaps = Map.groupBy(offline, ({ chargerId }) => chargerId);
  const byCharger = new Map(
    [...Map.groupBy(reported, ({ chargerId }) => chargerId)].map(([id, times]) => {
      const sum = availabilityOf(times);
      for (const { state, ms } of gaps.get(id) ?? []) moveToOffline(sum, state, ms);
      return [id, sum] as const;
    }),
  );
  const recordOf = await recordsOf(deps, by, slice, byCharger.keys());
  const groups = [...Map.groupBy(byCharger, ([id]) => recordOf(id))]
    .map(([id, some]) => ({ id, sum: addAvailability(some.map(([, sum]) => sum)) }))
    .toSorted(
      (a, b) =>
        (order === 'asc' ? 1 : -1) * (availableShare(a.sum.times) - availableShare(b.sum.times)) ||
        a.id - b.id,
    );
  const first = groups.slice(0, limit);
  const ids = first.map(({ id }) => id);
  const names = await listAnalyzedNames(deps.sql, by, ids);
  return {
    slice,
    totals: addAvailability([...byCharger.values()]),
    groups: first.map(({ id, sum }) => ({ record: names.get(id) ?? null, ...sum })),
    groupCount: groups.length,
    codes: codesOf(reported),
  };
}

const noTimes = (): StateTimes => Object.fromEntries(chargerStates.map((state) => [state, 0])) as StateTimes;

function availabilityOf(reported: readonly ReportedTime[]): Availability {
  const times = noTimes();
  for (const { state, ms } of reported) times[state] += ms;
  const faults = reported.reduce((total, row) => total + row.faults, 0);
  return { times, faults, faultMs: times.faulted };
}

/** A late report can shorten the state that was known when the socket closed. */
function moveToOffline({ times }: Availability, state: ChargerState, ms: number): void {
  const moved = Math.min(ms, times[state]);
  times[state] -= moved;
  times.offline += moved;
}

function addAvailability(all: readonly Availability[]): Availability {
  const total: Availability = { times: noTimes(), faults: 0, faultMs: 0 };
  for (const { times, faults, faultMs } of all) {
    for (const state of chargerStates) total.times[state] += times[state];
    total.faults += faults;
    total.faultMs += faultMs;
  }
  return total;
}

/** Returns the time of all states. */
export function observedMs(times: StateTimes): number {
  return chargerStates.reduce((total, state) => total + times[state], 0);
}

/** Returns the share of time in which drivers could charge or did; 1 without a report. */
export function availableShare(times: StateTimes): number {
  const observed = observedMs(times);
  return observed === 0 ? 1 : (times.available + times.occupied + times.reserved) / observed;
}

/** Returns the record of a charger, or none for 0. */
async function recordsOf(
  { sql }: ServiceDeps,
  by: AvailabilityQuery['by'],
  { filter }: Slice,
  ids: Iterable<number>,
): Promise<(chargerId: number) => number> {
  if (by === 'charger') return (id) => id;
  const chargers = await findAnalyzedChargers(sql, filter.networkIds, ids);
  const known = new Map(chargers.map((charger) => [charger.id, charger[`${by}Id`]]));
  return (id) => known.get(id) ?? 0;
}

function codesOf(reported: readonly ReportedTime[]): FaultCode[] {
  const faults = reported.filter(({ state }) => state === 'faulted');
  return [...Map.groupBy(faults, ({ code }) => code)]
    .map(([code, some]) => ({
      code,
      faults: some.reduce((total, row) => total + row.faults, 0),
      ms: some.reduce((total, { ms }) => total + ms, 0),
    }))
    .toSorted((a, b) => b.faults - a.faults || b.ms - a.ms)
    .slice(0, maxCodes);
}
