import { readEvseChanges } from '#shared/clickhouse/evse-changes.queries.ts';
import type { Interval } from '#shared/domain/kernel/intervals.ts';
import {
  type EvseChange,
  type EvseInterval,
  evseIntervals,
} from '#shared/domain/reporting/availability/evse-intervals.ts';
import type { ExcludedTime } from '#shared/domain/reporting/availability/exclusion.ts';
import { openIntervals } from '#shared/domain/reporting/availability/opening-hours.ts';
import {
  type ExcludedPeriod,
  listExcludedPeriods,
  type MeasuredPort,
} from '#shared/postgres/reporting/availability-ports.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';

export type { MeasuredPort } from '#shared/postgres/reporting/availability-ports.ts';

/** History of an EVSE in the part of a window in which it existed. */
export interface PortHistory {
  port: MeasuredPort;
  /** From the first report on. Empty: the EVSE did not report. */
  intervals: EvseInterval[];
}

/** Returns the histories of EVSEs of a network in a window, one after the other: those with changes first. */
export async function* readPortHistories(
  { sql, clickhouse }: Pick<ServiceDeps, 'sql' | 'clickhouse'>,
  networkId: number,
  measured: readonly MeasuredPort[],
  window: Interval,
): AsyncGenerator<PortHistory, void, undefined> {
  const excluded = new ExcludedPeriods(await listExcludedPeriods(sql, networkId, window));
  const ports = Map.groupBy(measured, ({ chargerId }) => chargerId);
  const openAt = new Map<number | null, Interval[] | null>();
  const historyOf = (port: MeasuredPort, changes: readonly EvseChange[]): PortHistory => {
    const { locationId, openingTimes, timeZone } = port;
    const known = openAt.get(locationId);
    const open = known === undefined ? openIntervals(openingTimes, window, timeZone) : known;
    openAt.set(locationId, open);
    const existed = {
      from: Math.max(window.from, port.createdAt.getTime(), firstReport(port, changes)),
      to: Math.min(window.to, port.removedAt?.getTime() ?? Infinity),
    };
    const circumstances = { open, excluded: excluded.of(port) };
    return { port, intervals: evseIntervals(withRemovals(port, changes), existed, circumstances) };
  };
  const filter = { networkId, chargerIds: [...ports.keys()] };
  for await (const charger of readEvseChanges(clickhouse, filter, window)) {
    const { chargerId } = charger;
    for (const port of ports.get(chargerId) ?? []) yield historyOf(port, charger.changesOf(port.number));
    ports.delete(chargerId);
  }
  for (const port of [...ports.values()].flat()) yield historyOf(port, []);
}

/** Returns the time of the first report of an EVSE. It has no known time if all reports are older than the changes. */
function firstReport({ reportedBefore }: MeasuredPort, changes: readonly EvseChange[]): number {
  return changes.find(({ kind }) => kind === 'status')?.at ?? (reportedBefore ? -Infinity : Infinity);
}

/** Adds the deletions of connectors: the last report of a deleted connector does not count. */
function withRemovals(
  { removedConnectors }: MeasuredPort,
  changes: readonly EvseChange[],
): readonly EvseChange[] {
  if (removedConnectors.length === 0) return changes;
  const removals = removedConnectors.map((removed): EvseChange => ({ kind: 'removal', ...removed }));
  return [...changes, ...removals].toSorted((one, other) => one.at - other.at);
}

/** Excluded periods by charger and location. */
class ExcludedPeriods {
  readonly #ofCharger: ReadonlyMap<number | null, ExcludedPeriod[]>;
  readonly #ofLocation: ReadonlyMap<number | null, ExcludedPeriod[]>;

  constructor(periods: readonly ExcludedPeriod[]) {
    this.#ofCharger = Map.groupBy(periods, ({ chargerId }) => chargerId);
    this.#ofLocation = Map.groupBy(periods, ({ locationId }) => locationId);
  }

  /** Returns the excluded times of an EVSE without overlaps, which a charger has that moved to another location: the earlier begin wins. */
  of({ chargerId, locationId, number }: MeasuredPort): ExcludedTime[] {
    const ofCharger = this.#ofCharger.get(chargerId) ?? [];
    const ofLocation = locationId === null ? [] : (this.#ofLocation.get(locationId) ?? []);
    const periods = [
      ...ofCharger.filter(({ evseNumber }) => evseNumber === null || evseNumber === number),
      ...ofLocation,
    ].toSorted((one, other) => one.beginsAt.getTime() - other.beginsAt.getTime());
    const times: ExcludedTime[] = [];
    for (const { cause, beginsAt, endsAt } of periods) {
      const from = Math.max(beginsAt.getTime(), times.at(-1)?.to ?? -Infinity);
      if (from < endsAt.getTime()) times.push({ from, to: endsAt.getTime(), cause });
    }
    return times;
  }
}
