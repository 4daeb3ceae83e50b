import { onlyNetworks } from '#shared/domain/access/tenancy.ts';
import { localDate } from '#shared/domain/kernel/calendar.ts';
import { DomainError } from '#shared/domain/kernel/errors.ts';
import type { Interval } from '#shared/domain/kernel/intervals.ts';
import {
  addSums,
  type AvailabilityDefinition,
  availabilityShare,
  type AvailabilitySums,
  countingOf,
  portUptime,
  regulatedDefinitions,
  type Regulation,
  sumAvailability,
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
import type { Caller } from '#api/services/access/callers.ts';
import { networkForNew } from '#api/services/access/networks.service.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import { fromClickHouse } from '#api/services/kernel/from-clickhouse.ts';
import { wrongParameter } from '#api/services/kernel/validation.service.ts';
import { type MeasuredPort, type PortChoice, readPortHistories } from './measured-ports.service.ts';

/** Lowest power of a rapid charge point of the Public Charge Point Regulations 2023. */
const rapidPowerW = 50_000;

/** Longest window of outages and of interval data in days. */
export const maxOutageDays = 366;
export const maxIntervalDays = 31;

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
  targetPercent: number;
  ports: PortAvailability[];
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

/** Length of the period that the report of each regulation states. */
const periodOfRegulation = { uk: 'year', us: 'month', california: 'year' } as const;

/**
 * Measures the EVSEs of a network by the rules of a regulation: the rapid ones of a year in the UK, all of a year in California, and
 * all of the twelve months that end with a month in the US.
 * @throws {DomainError} NETWORK_NOT_FOUND, STORE_UNAVAILABLE, VALIDATION_FAILED.
 */
export async function readRegulatedReport(
  deps: ServiceDeps,
  caller: Caller,
  regulation: Regulation,
  { networkUuid, period }: ReportQuery,
): Promise<AvailabilityReport> {
  if (periodKind(period) !== periodOfRegulation[regulation])
    throw wrongParameter('period', `must be a ${periodOfRegulation[regulation]} in this report`);
  const network = await measuredNetwork(deps, caller, networkUuid);
  const { timeZone } = network;
  const window = regulation === 'us' ? twelveMonths(period, timeZone) : periodInterval(period, timeZone);
  const minPowerW = regulation === 'uk' ? rapidPowerW : undefined;
  const shareOf = regulation === 'us' ? portUptime : availabilityShare;
  const choice = { networkId: network.id, minPowerW };
  return measure(deps, network, choice, window, regulatedDefinitions[regulation], shareOf);
}

/** Measures EVSEs by a definition. */
export async function measure(
  deps: ServiceDeps,
  network: Pick<AnalyzedNetwork, 'uuid' | 'timeZone'>,
  choice: PortChoice,
  period: Interval,
  definition: AvailabilityDefinition,
  shareOf: (sums: AvailabilitySums) => number | null = availabilityShare,
): Promise<AvailabilityReport> {
  const { timeZone } = network;
  const window = { from: period.from, to: Math.min(period.to, Date.now()) };
  if (window.from >= window.to) throw wrongParameter('period', 'must have begun');
  const years = yearsOf(window, timeZone);
  const ports = await fromClickHouse(
    collect(readPortHistories(deps, choice, window), ({ port, intervals }) => {
      const sums = sumAvailability(intervals, definition, years);
      return { port, sums, share: shareOf(sums) };
    }),
  );
  const sums = addSums(ports.map((one) => one.sums));
  return {
    networkUuid: network.uuid,
    fromDate: localDate(period.from, timeZone),
    toDate: localDate(period.to, timeZone),
    measuredUntil: new Date(window.to),
    targetPercent: definition.targetPercent,
    ports: ports.toSorted(
      (one, other) => one.port.chargerId - other.port.chargerId || one.port.number - other.port.number,
    ),
    sums,
    share: availabilityShare(sums),
  };
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
 * Returns the outages of EVSEs in a window by the rules of 23 CFR 680.116: time without a socket, inoperative, out of order, or
 * without a report.
 * @throws {DomainError} NETWORK_NOT_FOUND, STORE_UNAVAILABLE, VALIDATION_FAILED.
 */
export async function readOutages(
  deps: ServiceDeps,
  caller: Caller,
  query: OutageQuery,
): Promise<PortOutage[]> {
  const { window, choice } = await chosenPorts(deps, caller, query, maxOutageDays);
  const histories = readPortHistories(deps, choice, window);
  const outages = await fromClickHouse(
    collect(histories, ({ port, intervals }) =>
      withoutOpeningHours(intervals)
        .filter((interval) => countingOf(interval, regulatedDefinitions.us) === 'down')
        .map((interval) => ({ port, interval })),
    ),
  );
  return outages.flat();
}

/** Availability of an EVSE in an interval of some minutes. */
export interface PortSlot extends Interval {
  port: MeasuredPort;
  sums: AvailabilitySums;
}

/**
 * Returns availability in intervals of 15 or 60 minutes, one EVSE after the other.
 * @throws {DomainError} NETWORK_NOT_FOUND, VALIDATION_FAILED.
 */
export async function readSlots(
  deps: ServiceDeps,
  caller: Caller,
  { minutes, ...query }: OutageQuery & { minutes: number },
): Promise<AsyncGenerator<PortSlot[], void, undefined>> {
  const { window, choice } = await chosenPorts(deps, caller, query, maxIntervalDays);
  const step = minutes * 60_000;
  async function* slots() {
    for await (const { port, intervals } of readPortHistories(deps, choice, window)) {
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
  return slots();
}

async function chosenPorts(
  deps: ServiceDeps,
  caller: Caller,
  { networkUuid, chargerUuid, locationUuid, from, to }: OutageQuery,
  maxDays: number,
): Promise<{ window: Interval; choice: PortChoice }> {
  const network = await networkForNew(deps, caller, networkUuid, 'networkId');
  const window = { from: from.getTime(), to: Math.min(to.getTime(), Date.now()) };
  if (window.from >= window.to) throw wrongParameter('from', 'must be before to, and in the past');
  if (window.to - window.from > maxDays * 86_400_000)
    throw wrongParameter('from', `must be at most ${maxDays} days before to`);
  return { window, choice: { networkId: network.id, chargerUuid, locationUuid } };
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
