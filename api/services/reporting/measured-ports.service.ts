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
  listMeasuredPorts,
  type MeasuredPort,
} from '#shared/postgres/reporting/availability-ports.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';

export type { MeasuredPort } from '#shared/postgres/reporting/availability-ports.ts';

/** EVSEs to measure: of a network, one of its chargers or locations. */
export interface PortChoice {
  networkId: number;
  chargerUuid?: string | undefined;
  locationUuid?: string | undefined;
  /** Lowest power. */
  minPowerW?: number | undefined;
}

/** History of an EVSE in the part of a window in which it existed. */
export interface PortHistory {
  port: MeasuredPort;
  intervals: EvseInterval[];
}

/** Returns the histories of EVSEs in a window, one after the other: those with reports first. */
export async function* readPortHistories(
  { sql, clickhouse }: Pick<ServiceDeps, 'sql' | 'clickhouse'>,
  choice: PortChoice,
  window: Interval,
): AsyncGenerator<PortHistory, void, undefined> {
  const { networkId, minPowerW = 0 } = choice;
  const [all, excluded] = await Promise.all([
    listMeasuredPorts(sql, networkId, window, choice),
    listExcludedPeriods(sql, networkId, window),
  ]);
  const ports = Map.groupBy(
    all.filter(({ powerW }) => (powerW ?? 0) >= minPowerW),
    ({ chargerId }) => chargerId,
  );
  const isOfAll = choice.chargerUuid === undefined && choice.locationUuid === undefined;
  const filter = { networkIds: [networkId], chargerIds: isOfAll ? null : [...ports.keys()] };
  const openAt = new Map<number | null, Interval[] | null>();
  const historyOf = (port: MeasuredPort, changes: readonly EvseChange[]): PortHistory => {
    const { locationId, openingTimes, timeZone } = port;
    const known = openAt.get(locationId);
    const open = known === undefined ? openIntervals(openingTimes, window, timeZone) : known;
    openAt.set(locationId, open);
    const existed = {
      from: Math.max(window.from, port.createdAt.getTime()),
      to: Math.min(window.to, port.removedAt?.getTime() ?? Infinity),
    };
    const circumstances = { open, excluded: excludedTimesOf(port, excluded) };
    return { port, intervals: evseIntervals(changes, existed, circumstances) };
  };
  for await (const charger of readEvseChanges(clickhouse, filter, window)) {
    const { chargerId } = charger;
    for (const port of ports.get(chargerId) ?? []) yield historyOf(port, charger.changesOf(port.number));
    ports.delete(chargerId);
  }
  for (const port of [...ports.values()].flat()) yield historyOf(port, []);
}

/** Returns the excluded times of an EVSE without overlaps, which a charger has that moved to another location: the earlier begin wins. */
function excludedTimesOf(
  { chargerId, locationId, number }: MeasuredPort,
  periods: readonly ExcludedPeriod[],
): ExcludedTime[] {
  const times: ExcludedTime[] = [];
  for (const { cause, beginsAt, endsAt, ...target } of periods) {
    const isOfLocation = target.locationId !== null && target.locationId === locationId;
    const isOfCharger = target.chargerId === chargerId;
    const isOfEvse = target.evseNumber === null || target.evseNumber === number;
    if (!isOfLocation && !(isOfCharger && isOfEvse)) continue;
    const from = Math.max(beginsAt.getTime(), times.at(-1)?.to ?? -Infinity);
    if (from < endsAt.getTime()) times.push({ from, to: endsAt.getTime(), cause });
  }
  return times;
}
