import type { MapBox } from '#shared/domain/fleet/charger-map.ts';
import type { ChargerOrder } from '#shared/domain/fleet/charger-state.ts';
import { findChargerIds, listChargersById } from '#shared/postgres/fleet/charger-lists.ts';
import { type ChargerMap, readChargerMap } from '#shared/postgres/fleet/charger-map.statements.ts';
import type { ListedCharger } from '#shared/postgres/fleet/charger-records.ts';
import { type ChargerSummary, summarizeChargers } from '#shared/postgres/fleet/charger-summary.ts';
import type { Caller } from '#api/services/access/callers.ts';
import { networksOfCall } from '#api/services/access/networks.service.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import type { OperatorChargerFilter } from './chargers.service.ts';

export type { MapFeature } from '#shared/postgres/fleet/charger-map.statements.ts';

/**
 * Counts the chargers of the caller's networks, or of the one that the call names, that a filter selects.
 * @throws {DomainError} NETWORK_NOT_FOUND.
 */
export async function chargerSummary(
  deps: ServiceDeps,
  caller: Caller,
  networkUuid: string | undefined,
  filter: OperatorChargerFilter,
): Promise<ChargerSummary> {
  return summarizeChargers(deps.sql, await networksOfCall(deps, caller, networkUuid), filter);
}

/**
 * Returns the same chargers within a box of the map.
 * @throws {DomainError} NETWORK_NOT_FOUND.
 */
export async function chargerMap(
  deps: ServiceDeps,
  caller: Caller,
  networkUuid: string | undefined,
  filter: OperatorChargerFilter,
  { box, zoom }: { box: MapBox; zoom: number },
): Promise<ChargerMap> {
  return readChargerMap(deps.sql, await networksOfCall(deps, caller, networkUuid), filter, box, zoom);
}

/** Rows that an export of chargers reads at once. */
const exportedAtOnce = 1000;

/**
 * Returns all chargers that a filter selects, in order, in batches. The chargers are those of the call; their fields are as they are
 * read.
 * @throws {DomainError} NETWORK_NOT_FOUND.
 */
export async function exportChargers(
  deps: ServiceDeps,
  caller: Caller,
  networkUuid: string | undefined,
  filter: OperatorChargerFilter,
  order?: ChargerOrder,
): Promise<AsyncGenerator<ListedCharger[], void, undefined>> {
  const networks = await networksOfCall(deps, caller, networkUuid);
  const ids = await findChargerIds(deps.sql, networks, filter, order);
  async function* batches() {
    for (let from = 0; from < ids.length; from += exportedAtOnce) {
      yield await listChargersById(deps.sql, networks, ids.slice(from, from + exportedAtOnce));
    }
  }
  return batches();
}
