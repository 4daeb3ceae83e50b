import type { CalendarPeriod } from '#shared/domain/kernel/calendar.ts';
import {
  type AnalyzedNetwork,
  type ChargerCounts,
  countChargers,
  listAnalyzedNetworks,
} from '#shared/postgres/reporting/analytics.statements.ts';
import {
  type AnalyticsWindow,
  bucketsByZone,
  instantsOf,
  timeOf,
  wholeSecond,
  windowOf,
  type WindowQuery,
} from './analytics-window.ts';
import type { Caller } from '#api/services/access/callers.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import { networksOfCall } from '#api/services/access/networks.service.ts';
import { type NetworkSums, sumNetworks } from './session-totals.ts';
import { type NetworkUse, networkUse } from './utilization.ts';

/** Analytics request: of one network or of all that the key has access to. */
interface AnalyticsQuery extends WindowQuery {
  networkId?: string | undefined;
  period?: CalendarPeriod | undefined;
}

/** The sums of a window, by network. */
export interface Analytics<PerNetwork> extends AnalyticsWindow {
  period: CalendarPeriod;
  networks: PerNetwork[];
}

const defaultPeriod: CalendarPeriod = 'day';

/**
 * The sessions that ended in a window, by network and period in the network's time zone.
 * @throws {DomainError} NETWORK_NOT_FOUND, VALIDATION_FAILED, STORE_UNAVAILABLE.
 */
export async function readSessionAnalytics(
  deps: ServiceDeps,
  caller: Caller,
  query: AnalyticsQuery,
): Promise<Analytics<NetworkSums>> {
  const { period = defaultPeriod } = query;
  const window = windowOf(query);
  const networks = await networksOf(deps, caller, query.networkId);
  const sums = await sumNetworks(deps, networks, bucketsByZone(networks, instantsOf(window), period));
  return { ...window, period, networks: sums };
}

/**
 * Returns the share of time for which connectors charged, by network and period in the network's time zone.
 * @throws {DomainError} NETWORK_NOT_FOUND, VALIDATION_FAILED, STORE_UNAVAILABLE.
 */
export async function readUtilization(
  deps: ServiceDeps,
  caller: Caller,
  query: AnalyticsQuery,
): Promise<Analytics<NetworkUse>> {
  const { period = defaultPeriod } = query;
  const window = windowOf(query);
  const networks = await networksOf(deps, caller, query.networkId);
  const buckets = bucketsByZone(networks, timeOf(window), period);
  return { ...window, period, networks: await networkUse(deps, networks, buckets, wholeSecond(Date.now())) };
}

/**
 * The chargers of each network as they are now.
 * @throws {DomainError} NETWORK_NOT_FOUND.
 */
export async function readUptime(
  deps: ServiceDeps,
  caller: Caller,
  networkId: string | undefined,
): Promise<(ChargerCounts & { networkUuid: string })[]> {
  const networks = await networksOf(deps, caller, networkId);
  const ids = networks.map(({ id }) => id);
  const counts = new Map((await countChargers(deps.sql, ids)).map((count) => [count.networkId, count]));
  return networks.map(({ id, uuid }) => ({
    networkId: id,
    ...(counts.get(id) ?? { total: 0, available: 0, charging: 0, offline: 0 }),
    networkUuid: uuid,
  }));
}

/**
 * The sessions that ended in a window: a driver's own, or those of an operator's networks.
 * @throws {DomainError} VALIDATION_FAILED, STORE_UNAVAILABLE.
 */
export async function readCallerAnalytics(
  deps: ServiceDeps,
  caller: Caller,
  query: Omit<AnalyticsQuery, 'networkId'>,
): Promise<Analytics<NetworkSums>> {
  const { period = defaultPeriod } = query;
  const window = windowOf(query);
  const networks = await listAnalyzedNetworks(deps.sql, caller.networks);
  const buckets = bucketsByZone(networks, instantsOf(window), period);
  const sums = await sumNetworks(deps, networks, buckets, caller.userId);
  return { ...window, period, networks: sums };
}

async function networksOf(
  deps: ServiceDeps,
  caller: Caller,
  networkId: string | undefined,
): Promise<AnalyzedNetwork[]> {
  return listAnalyzedNetworks(deps.sql, await networksOfCall(deps, caller, networkId));
}
