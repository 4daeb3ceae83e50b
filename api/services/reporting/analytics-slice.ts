import type { FactFilter } from '#shared/clickhouse/fact-analytics.ts';
import {
  type AnalyzedNetwork,
  listAnalyzedNetworks,
} from '#shared/postgres/reporting/analytics.statements.ts';
import {
  type ChargerChoice,
  findAnalyzedTariff,
  listAnalyzedChargers,
} from '#shared/postgres/reporting/analyzed-records.ts';
import type { Caller } from '#api/services/access/callers.ts';
import { networksOfCall } from '#api/services/access/networks.service.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import { requireTimeZone } from '#api/services/kernel/time-zones.ts';
import { type AnalyticsWindow, windowOf, type WindowQuery } from './analytics-window.ts';
import { commonTimeZone } from './today.service.ts';

/** Window of sessions in a time zone, of some chargers or one tariff. */
export interface SliceQuery extends WindowQuery {
  networkId?: string | undefined;
  timeZone?: string | undefined;
  chargerId?: string | undefined;
  locationId?: string | undefined;
  modelId?: string | undefined;
  tariffId?: string | undefined;
}

/** Sessions that a query selects. */
export interface Slice {
  window: AnalyticsWindow;
  timeZone: string;
  networks: AnalyzedNetwork[];
  /** Number of networks that have the chargers and the tariff of the filter. */
  networkCount: number;
  filter: FactFilter;
}

/**
 * Returns what a query selects. A charger, location, model or tariff that the networks do not have selects nothing.
 * @throws {DomainError} NETWORK_NOT_FOUND; VALIDATION_FAILED for a wrong window or time zone.
 */
export async function sliceOf(deps: ServiceDeps, caller: Caller, query: SliceQuery): Promise<Slice> {
  const { chargerId, locationId, modelId, tariffId } = query;
  requireTimeZone(query.timeZone, { part: 'query', field: 'timeZone' });
  const window = windowOf(query);
  const networks = await listAnalyzedNetworks(deps.sql, await networksOfCall(deps, caller, query.networkId));
  const networkIds = networks.map(({ id }) => id);
  const choice = { chargerUuid: chargerId, locationUuid: locationId, modelUuid: modelId };
  const [chargers, tariff] = await Promise.all([
    isOfAll(choice) ? null : listAnalyzedChargers(deps.sql, networkIds, choice),
    tariffId === undefined ? undefined : findAnalyzedTariff(deps.sql, networkIds, tariffId),
  ]);
  const withChargers = chargers === null ? networkIds : new Set(chargers.map(({ networkId }) => networkId));
  return {
    window,
    timeZone: query.timeZone ?? commonTimeZone(networks),
    networks,
    networkCount: tariffId === undefined ? [...withChargers].length : 1,
    filter: {
      networkIds: tariff === null ? [] : networkIds,
      chargerIds: chargers?.map(({ id }) => id) ?? null,
      tariffId: tariff ?? null,
    },
  };
}

const isOfAll = (choice: ChargerChoice) => Object.values(choice).every((uuid) => uuid === undefined);
