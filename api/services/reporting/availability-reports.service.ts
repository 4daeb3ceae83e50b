import { onlyNetworks } from '#shared/domain/access/tenancy.ts';
import { localDate } from '#shared/domain/kernel/calendar.ts';
import { DomainError } from '#shared/domain/kernel/errors.ts';
import type { Interval } from '#shared/domain/kernel/intervals.ts';
import {
  addSums,
  type AvailabilityDefinition,
  type AvailabilitySums,
  countingOf,
  portShare,
  regulatedDefinitions,
  type Regulation,
  sumAvailability,
  totalShare,
  yearsOf,
} from '#shared/domain/reporting/availability/definition.ts';
import {
  type EvseInterval,
  withoutOpeningHours,
} from '#shared/domain/reporting/availability/evse-intervals.ts';
import {
  periodInterval,
  periodKind,
  twelveMonths,
} from '#shared/domain/reporting/availability/report-period.ts';
import {
  type AnalyzedNetwork,
  listAnalyzedNetworks,
} from '#shared/postgres/reporting/analytics.statements.ts';
import { listMeasuredPorts } from '#shared/postgres/reporting/availability-ports.ts';
import type { Caller } from '#api/services/access/callers.ts';
import { networkForNew } from '#api/services/access/networks.service.ts';
import { begun } from '#api/services/kernel/begun.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import { fromClickHouse } from '#api/services/kernel/from-clickhouse.ts';
import { wrongParameter } from '#api/services/kernel/validation.service.ts';
import { type MeasuredPort, readPortHistories } from './measured-ports.service.ts';

/** Longest window of outages and of interval data in days. */
export const maxOutageDays = 366;
export const maxIntervalDays = 31;

/** Longest window of a list of the outages of a whole network in days. */
export const maxNetworkDays = 31;

const dayMs = 86_400_000;

/** Availability of an EVSE in the period of a report. */
export interface PortAvailability {
  port: MeasuredPort;
  sums: AvailabilitySums;
  /** From 0 to 1. Null: nothing was measured. */
  share: number | null;
}

/** Availability of the EVSEs of a network in a period. */
export interface AvailabilityReport {
  networkUuid: string;
  /** Local dates of the network: the first, and the first after the period. */
  fromDate: string;
  toDate: string;
  /** Instant until which reports count: the end of the period, or now. */
  measuredUntil: Date;
  /** True: the period is over, and all of its statuses are kept. */
  isComplete: boolean;
  definition: AvailabilityDefinition;
  /** EVSEs that reported. */
  ports: PortAvailability[];
  /** Number of EVSEs without a report. */
  neverReportedCount: number;
  /** Number of EVSEs that the report leaves out because their power is unknown. */
  unknownPowerCount: number;
  sums: AvailabilitySums;
  /** Share of all EVSEs together. */
  share: number | null;
}

/** Outage of an EVSE. */
export interface PortOutage {
  port: MeasuredPort;
  interval: EvseInterval;
}

/** Network and period of a report. */
export interface ReportQuery {
  networkUuid: string | undefined;
  period: string;
}

/**
 * Measures the EVSEs of a network by the rules of a regulation: the public rapid ones of a year in the UK, all of a year in California,
 * and all of the twelve months that end with a month in the US.
 * @throws {DomainError} NETWORK_NOT_FOUND, STORE_UNAVAILABLE, VALIDATION_FAILED.
 */
export async function readRegulatedReport(
  deps: ServiceDeps,
  caller: Caller,
  regulation: Regulation,
  { networkUuid, period }: ReportQuery,
): Promise<AvailabilityReport> {
  const definition = regulatedDefinitions[regulation];
  if (periodKind(period) !== definition.period)
    throw wrongParameter('period', `must be a ${definition.period} in this report`);
  const network = await measuredNetwork(deps, caller, networkUuid);
  const { timeZone } = network;
  const whole =
    definition.period === 'month' ? twelveMonths(period, timeZone) : periodInterval(period, timeZone);
  const now = Date.now();
  const window = { from: whole.from, to: Math.min(whole.to, now) };
  if (window.from >= window.to) throw wrongParameter('period', 'must have begun');
  const all = await listMeasuredPorts(deps.sql, network.id, window, {});
  const { isPublicOnly, minPowerW } = definition;
  const concerned = all.filter(({ isPublic }) => isPublic || !isPublicOnly);
  const measured = concerned.filter(({ powerW }) => minPowerW === null || (powerW ?? 0) >= minPowerW);
  const isUnknown = ({ powerW }: MeasuredPort) => minPowerW !== null && powerW === null;
  const years = yearsOf(window, timeZone);
  const ports = await fromClickHouse(
    collect(
      readPortHistories(deps, network.id, measured, window),
      ({ port, intervals }): PortAvailability | null => {
        if (intervals.length === 0) return null;
        const sums = sumAvailability(intervals, definition, years);
        return { port, sums, share: portShare(sums, definition) };
      },
    ),
  );
  const reported = ports.filter((one) => one !== null);
  const sums = reported.map((one) => one.sums);
  return {
    networkUuid: network.uuid,
    fromDate: localDate(whole.from, timeZone),
    toDate: localDate(whole.to, timeZone),
    measuredUntil: new Date(window.to),
    isComplete: whole.to <= now && whole.from >= keptSince(deps, now),
    definition,
    ports: reported.toSorted(
      (one, other) => one.port.chargerId - other.port.chargerId || one.port.number - other.port.number,
    ),
    neverReportedCount: ports.length - reported.length,
    unknownPowerCount: concerned.filter(isUnknown).length,
    sums: addSums(sums),
    share: totalShare(sums, definition),
  };
}

/** Returns the time from which on statuses are kept. */
function keptSince({ settings }: ServiceDeps, now: number): number {
  const { recordDays } = settings.retention;
  return recordDays === null ? -Infinity : now - recordDays * dayMs;
}

/** EVSEs and window of outages and interval data. */
export interface OutageQuery {
  networkUuid: string | undefined;
  chargerUuid: string | undefined;
  locationUuid: string | undefined;
  from: Date;
  to: Date;
}

/**
 * Returns the outages of EVSEs in a window by the rules of 23 CFR 680.116, one EVSE after the other: time without a socket,
 * inoperative, out of order, or without a known status. The first EVSE is read before the return.
 * @throws {DomainError} NETWORK_NOT_FOUND, STORE_UNAVAILABLE, VALIDATION_FAILED.
 */
export async function readOutages(
  deps: ServiceDeps,
  caller: Caller,
  query: OutageQuery,
): Promise<AsyncIterable<PortOutage[]>> {
  const { histories } = await chosenHistories(deps, caller, query, maxOutageDays);
  async function* outages() {
    for await (const { port, intervals } of histories)
      yield withoutOpeningHours(intervals)
        .filter((interval) => countingOf(interval, regulatedDefinitions.us) === 'down')
        .map((interval) => ({ port, interval }));
  }
  return fromClickHouse(begun(outages()));
}

/**
 * Returns the outages of EVSEs in a window as a list: above 31 days, of one charger or location.
 * @throws {DomainError} NETWORK_NOT_FOUND, STORE_UNAVAILABLE, VALIDATION_FAILED.
 */
export async function listOutages(
  deps: ServiceDeps,
  caller: Caller,
  query: OutageQuery,
): Promise<PortOutage[]> {
  const { chargerUuid, locationUuid, from, to } = query;
  const isLong = Math.min(to.getTime(), Date.now()) - from.getTime() > maxNetworkDays * dayMs;
  if (isLong && chargerUuid === undefined && locationUuid === undefined)
    throw wrongParameter(
      'from',
      `must be at most ${maxNetworkDays} days before to without chargerId or locationId; use the export for a network`,
    );
  const batches = await readOutages(deps, caller, query);
  return (await fromClickHouse(collect(batches, (batch) => batch))).flat();
}

/** Availability of an EVSE in an interval of some minutes. */
export interface PortSlot extends Interval {
  port: MeasuredPort;
  sums: AvailabilitySums;
}

/**
 * Returns availability in intervals of 15 or 60 minutes, one EVSE after the other. The first EVSE is read before the return.
 * @throws {DomainError} NETWORK_NOT_FOUND, STORE_UNAVAILABLE, VALIDATION_FAILED.
 */
export async function readSlots(
  deps: ServiceDeps,
  caller: Caller,
  { minutes, ...query }: OutageQuery & { minutes: number },
): Promise<AsyncIterable<PortSlot[]>> {
  const { window, histories } = await chosenHistories(deps, caller, query, maxIntervalDays);
  const step = minutes * 60_000;
  async function* slots() {
    for await (const { port, intervals } of histories) {
      const batch: PortSlot[] = [];
      let first = 0;
      for (let from = Math.floor(window.from / step) * step; from < window.to; from += step) {
        const slot = { from: Math.max(from, window.from), to: Math.min(from + step, window.to) };
        while ((intervals[first]?.to ?? Infinity) <= slot.from) first += 1;
        const within: EvseInterval[] = [];
        for (let index = first; (intervals[index]?.from ?? Infinity) < slot.to; index += 1)
          within.push(intervals[index] as EvseInterval);
        if (within.length === 0) continue;
        batch.push({ port, ...slot, sums: sumAvailability(within, regulatedDefinitions.us, [slot]) });
      }
      yield batch;
    }
  }
  return fromClickHouse(begun(slots()));
}

async function chosenHistories(
  deps: ServiceDeps,
  caller: Caller,
  { networkUuid, chargerUuid, locationUuid, from, to }: OutageQuery,
  maxDays: number,
) {
  const network = await networkForNew(deps, caller, networkUuid, 'networkId');
  const now = Date.now();
  const window = { from: from.getTime(), to: Math.min(to.getTime(), now) };
  if (window.from >= window.to) throw wrongParameter('from', 'must be before to, and in the past');
  if (window.to - window.from > maxDays * dayMs)
    throw wrongParameter('from', `must be at most ${maxDays} days before to`);
  if (window.from < keptSince(deps, now))
    throw wrongParameter(
      'from',
      `must be within the last ${deps.settings.retention.recordDays} days: older statuses are deleted`,
    );
  const ports = await listMeasuredPorts(deps.sql, network.id, window, { chargerUuid, locationUuid });
  return { window, histories: readPortHistories(deps, network.id, ports, window) };
}

/** Returns the network of a report. @throws {DomainError} NETWORK_NOT_FOUND, VALIDATION_FAILED. */
async function measuredNetwork(
  deps: ServiceDeps,
  caller: Caller,
  networkUuid: string | undefined,
): Promise<AnalyzedNetwork> {
  const { id } = await networkForNew(deps, caller, networkUuid, 'networkId');
  const [network] = await listAnalyzedNetworks(deps.sql, onlyNetworks([id]));
  if (network === undefined) throw new DomainError('NETWORK_NOT_FOUND', 'The network was removed.');
  return network;
}

async function collect<From, To>(all: AsyncIterable<From>, map: (one: From) => To): Promise<To[]> {
  const found: To[] = [];
  for await (const one of all) found.push(map(one));
  return found;
}
